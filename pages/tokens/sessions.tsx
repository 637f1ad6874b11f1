// The browser sessions of the user, who can end them.
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { runAction } from '../kit/messages.tsx';
import { Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { type BrowserSession, type SessionList, SessionTable } from './session-table.tsx';

const SESSIONS = '/api/current_user/sessions';
const VERSION = 1;

export function Sessions() {
  const read = useApi<SessionList>(SESSIONS, VERSION, { everyMs: 30_000 });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Browser sessions</h2>
      <Loaded read={read}>{({ _embedded: { sessions } }) => <OwnSessions sessions={sessions} />}</Loaded>
    </section>
  );
}

const endOne = (id: string) => send(path`/api/current_user/sessions/${id}`, { method: 'DELETE', version: VERSION });

function OwnSessions({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const others = sessions.filter(({ current }) => !current);
  const end = async (session: BrowserSession): Promise<void> => {
    await runAction(() => endOne(session.id), 'The session has ended.');
    reloadAll(SESSIONS);
  };
  const endOthers = async (): Promise<void> => {
    await runAction(
      async () => {
        for (const { id } of others) await endOne(id);
        return undefined;
      },
      `${pluralize(others.length, 'other session')} ended.`,
    );
    reloadAll(SESSIONS);
  };
  return (
    <>
      {others.length > 0 && (
        <div class="toolbar">
          <span class="quiet">You are signed in elsewhere, too.</span>
          <button type="button" class="button" onClick={() => void endOthers()}>
            End all others
          </button>
        </div>
      )}
      <SessionTable sessions={sessions} onEnd={(session) => void end(session)} />
    </>
  );
}
