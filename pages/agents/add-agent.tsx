// How to add an agent: a command to copy. It holds the key by which agents register, so only administrators are shown it.
import { useApi } from '../api/queries.ts';
import { Command, Loaded } from '../kit/states.tsx';
import { REGISTRATION_ADDRESS, REGISTRATION_VERSION, RotateKey } from './registration-key.tsx';

interface Registration {
  readonly auto_register_key: string | null;
  readonly command: string;
}

export function AddAgent({ isAdmin, isFirst }: { readonly isAdmin: boolean; readonly isFirst: boolean }) {
  return (
    <section class="add-agent" aria-label="Add an agent">
      <p>
        {isFirst && 'There is no agent yet, so nothing can be built. '}
        {isAdmin
          ? 'An agent runs on any machine with Node 20 or later, npm, git and a copy of this repository. Run there:'
          : 'Ask an administrator to add one.'}
      </p>
      {isAdmin && <AgentCommand />}
    </section>
  );
}

function AgentCommand() {
  const read = useApi<Registration>(REGISTRATION_ADDRESS, REGISTRATION_VERSION);
  return (
    <Loaded read={read}>
      {({ command, auto_register_key }) => (
        <>
          <Command text={command} />
          {auto_register_key === null && <p class="quiet">No key is set: the agent will wait here, pending, until it is enabled.</p>}
          <RotateKey />
        </>
      )}
    </Loaded>
  );
}
