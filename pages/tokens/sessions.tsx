// Where else somebody is signed in, and the end of that.
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { act } from '../kit/messages.tsx';
import { Shown } from '../kit/states.tsx';
import { counted } from '../kit/text/text.ts';
import { When } from '../kit/text/when.tsx';
import { browserName } from './browser-name.ts';

const SESSIONS = '/api/current_user/sessions';
const VERSION = 1;

interface BrowserSession {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly browser: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
}

interface SessionList {
  readonly _embedded: { readonly sessions: readonly BrowserSession[] };
}

export function Sessions() {
  const read = useApi<SessionList>(SESSIONS, VERSION, { everyMs: 30_000 });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Browser sessions</h2>
      <Shown read={read}>{({ _embedded: { sessions } }) => <SessionTable sessions={sessions} />}</Shown>
    </section>
  );
}

const endOne = (id: string) => send(path`/api/current_user/sessions/${id}`, { method: 'DELETE', version: VERSION });

function SessionTable({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const others = sessions.filter(({ current }) => !current);
  const end = async (session: BrowserSession): Promise<void> => {
    await act(() => endOne(session.id), 'The session has ended.');
    reloadAll(SESSIONS);
  };
  const endOthers = async (): Promise<void> => {
    await act(
      async () => {
        for (const { id } of others) await endOne(id);
        return undefined;
      },
      `${counted(others.length, 'other session')} ended.`,
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
      <div class="table-scroll">
        <table class="tokens">
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Address</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">Ends, if not used</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function SessionRow({ session, onEnd }: { readonly session: BrowserSession; readonly onEnd: () => void }) {
  const name = browserName(session.browser);
  return (
    <tr>
      <td title={session.browser}>
        {name} {session.current && <span class="badge">this one</span>}
      </td>
      <td>{session.address}</td>
      <td>
        <When at={session.created_at} />
      </td>
      <td>
        <When at={session.last_used_at} />
      </td>
      <td>
        <When at={session.expires_at} />
      </td>
      <td>
        {!session.current && (
          <button type="button" class="button is-small" aria-label={`End the session of ${name}`} onClick={onEnd}>
            End
          </button>
        )}
      </td>
    </tr>
  );
}
