// Browser sessions in rows, each with a button that ends it.
import type { ListItem } from '../api/answers.ts';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { browserName } from './browser-name.ts';

/** The name of its user is only in the list of all users. */
export type BrowserSession = ListItem<'GET /api/current_user/sessions', 'sessions'> &
  Partial<Pick<ListItem<'GET /api/admin/sessions', 'sessions'>, 'login_name'>>;

export interface SessionList {
  readonly _embedded: { readonly sessions: readonly BrowserSession[] };
}

interface SessionTableProps {
  readonly sessions: readonly BrowserSession[];
  readonly hasUsers?: boolean;
  readonly onEnd: (session: BrowserSession) => void;
}

export function SessionTable({ sessions, hasUsers = false, onEnd }: SessionTableProps) {
  return (
    <div class="table-scroll">
      <table class="tokens">
        <thead>
          <tr>
            {hasUsers && <th scope="col">User</th>}
            <th scope="col">Browser</th>
            <th scope="col">Address</th>
            <th scope="col">Signed in through</th>
            <th scope="col">Signed in</th>
            <th scope="col">Last used</th>
            <th scope="col">Ends, if not used</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} hasUsers={hasUsers} onEnd={() => onEnd(session)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SessionRowProps {
  readonly session: BrowserSession;
  readonly hasUsers: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, hasUsers, onEnd }: SessionRowProps) {
  const name = browserName(session.browser);
  const whose = hasUsers ? `${session.login_name} with ${name}` : name;
  return (
    <tr>
      {hasUsers && <td>{session.login_name}</td>}
      <td title={session.browser}>
        {name} {session.current && <span class="badge">this one</span>}
      </td>
      <td>{session.address}</td>
      <td>{session.auth_config_id}</td>
      <td>
        <RelativeTime at={session.created_at} />
      </td>
      <td>
        <RelativeTime at={session.last_used_at} />
      </td>
      <td>
        <RelativeTime at={session.expires_at} />
      </td>
      <td>
        {!session.current && (
          <button type="button" class="button is-small" aria-label={`End the session of ${whose}`} onClick={onEnd}>
            End
          </button>
        )}
      </td>
    </tr>
  );
}
