// Checks on request that the record of events is unchanged.
import { useState } from 'preact/hooks';
import type { AnswerOf, WithoutLinks } from '../api/answers.ts';
import { getJson } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { Command, Loading } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { EVENTS_ADDRESS, EVENTS_VERSION, type ServerEvent, verifyCommand } from './event.ts';

type Verification = WithoutLinks<AnswerOf<'GET /api/admin/events/verification'>>;
type State =
  | { readonly is: 'checking' }
  | { readonly is: 'checked'; readonly verification: Verification }
  | { readonly is: 'failed'; readonly message: string };

export function Audit({ newest }: { readonly newest: ServerEvent }) {
  const [state, setState] = useState<State>();
  const check = async (): Promise<void> => {
    setState({ is: 'checking' });
    try {
      setState({ is: 'checked', verification: await getJson<Verification>(`${EVENTS_ADDRESS}/verification`, EVENTS_VERSION) });
    } catch (failure) {
      setState({ is: 'failed', message: messageOf(failure) });
    }
  };
  return (
    <details class="events-audit">
      <summary>Check the events for tampering</summary>
      <p>
        Each event holds the hash of the one before. The server computes all hashes anew, and compares the configuration with the events. It
        only reads.
      </p>
      <button type="button" class="button" disabled={state?.is === 'checking'} onClick={() => void check()}>
        Check all events
      </button>
      {state && <Outcome state={state} />}
      <p>
        The same on the machine of the server, for {pluralize(newest.number, 'event')} up to the newest one here. Note its number and hash
        elsewhere now and then: a person with write access to the database could compute all hashes anew. Webhooks do that for you.
      </p>
      <Command text={verifyCommand(newest)} />
    </details>
  );
}

function Outcome({ state }: { readonly state: State }) {
  if (state.is === 'checking') return <Loading what="Checking all events" />;
  if (state.is === 'failed')
    return (
      <p role="alert" class="refusal">
        {state.message}
      </p>
    );
  const { is_whole: isWhole, message, faults } = state.verification;
  return (
    <div role="status">
      {message?.split('\n').map((line) => (
        <p key={line} class="events-verification">
          {line}
        </p>
      ))}
      {!isWhole && (
        <ul class="refusal">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
