// The browser sessions of all users, for administrators, who can end them.
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { useFirstRows } from '../kit/list/first-rows.tsx';
import { runAction } from '../kit/messages.tsx';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { type BrowserSession, type SessionList, SessionTable } from './session-table.tsx';

const TITLE = 'Sessions of all users';
const ALL_SESSIONS = '/api/admin/sessions';
const VERSION = 1;

export function AllSessionsPage() {
  useTitle(TITLE);
  return (
    <AdminsOnly title={TITLE}>
      <AllSessions />
    </AdminsOnly>
  );
}

function AllSessions() {
  const read = useApi<SessionList>(ALL_SESSIONS, VERSION, { everyMs: 30_000 });
  return (
    <>
      <h1>{TITLE}</h1>
      <Loaded read={read}>{({ _embedded: { sessions } }) => <FoundSessions sessions={sessions} />}</Loaded>
    </>
  );
}

function FoundSessions({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const [search, setSearch] = useParameter('q');
  const wanted = search.trim().toLowerCase();
  const found = sessions.filter(({ login_name = '', address, auth_config_id }) =>
    [login_name, address, auth_config_id].some((text) => text.toLowerCase().includes(wanted)),
  );
  const { rows, more } = useFirstRows(found);
  const users = new Set(found.map(({ login_name }) => login_name));
  const [only] = users.size === 1 ? users : [];
  return (
    <>
      <search class="toolbar">
        <SearchField of="sessions" value={search} onChange={setSearch} />
        <span class="quiet" role="status">
          {pluralize(found.length, 'session')} of {pluralize(users.size, 'user')}
        </span>
        <span class="grow" />
        {only !== undefined && (
          <button type="button" class="button" onClick={() => void endAllOf(only)}>
            End all of {only}
          </button>
        )}
      </search>
      {found.length === 0 ? (
        <p class="empty">No session matches.</p>
      ) : (
        <SessionTable sessions={rows} hasUsers onEnd={(session) => void endOne(session)} />
      )}
      {more}
    </>
  );
}

async function endOne({ id }: BrowserSession): Promise<void> {
  await runAction(() => send(path`/api/admin/sessions/${id}`, { method: 'DELETE', version: VERSION }), 'The session has ended.');
  reloadAll(ALL_SESSIONS);
}

async function endAllOf(loginName: string): Promise<void> {
  const address = `${ALL_SESSIONS}?${new URLSearchParams({ login_name: loginName })}`;
  await runAction(() => send(address, { method: 'DELETE', version: VERSION }), `All sessions of ${loginName} have ended.`);
  reloadAll(ALL_SESSIONS);
}
