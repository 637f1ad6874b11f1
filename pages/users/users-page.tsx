// The users that the server knows, and which of them may sign in.
import { useState } from 'preact/hooks';
import { useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Chooser } from '../kit/chooser.tsx';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { BulkActions } from './bulk-actions.tsx';
import { AddUser, EditUser } from './edit-user.tsx';
import { countsText, FILTERS, filterOf, shownUsers, USERS_ADDRESS, USERS_VERSION, type User, type UserList } from './user.ts';
import { UserTable } from './user-table.tsx';

export function UsersPage() {
  useTitle('Users');
  return (
    <AdminsOnly title="Users">
      <AllUsers />
    </AdminsOnly>
  );
}

function AllUsers() {
  // Roles and administrators are part of the configuration; there are no notices of users that are added when they first sign in.
  const read = useApi<UserList>(USERS_ADDRESS, USERS_VERSION, { changedBy: ({ kind }) => kind === 'config', everyMs: 30_000 });
  return (
    <>
      <h1>Users</h1>
      <Loaded read={read}>{({ _embedded: { users } }) => <Users users={users} />}</Loaded>
    </>
  );
}

function Users({ users }: { readonly users: readonly User[] }) {
  const [search, setSearch] = useParameter('q');
  const [filterText, setFilter] = useParameter('filter', 'all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<User>();
  const [isAdding, setIsAdding] = useState(false);
  const filter = filterOf(filterText);
  const shown = shownUsers(users, filter, search);
  // Actions apply only to users that the filter shows.
  const chosenUsers = shown.filter(({ login_name }) => chosen.has(login_name));
  return (
    <>
      <search class="toolbar">
        <SearchField of="users" value={search} onChange={setSearch} />
        <Chooser label="Which users" choices={FILTERS} value={filter} onChange={setFilter} />
        <span class="quiet" role="status">
          {chosenUsers.length > 0 ? `${chosenUsers.length} chosen` : countsText(users)}
        </span>
        <span class="grow" />
        <BulkActions users={chosenUsers} onDone={() => setChosen(new Set())} />
        <button type="button" class="button is-primary" onClick={() => setIsAdding(true)}>
          Add a user
        </button>
      </search>
      {shown.length === 0 ? (
        <p class="empty">No user matches.</p>
      ) : (
        <UserTable users={shown} chosen={chosen} onChoose={setChosen} onEdit={setEdited} />
      )}
      {isAdding && <AddUser onClose={() => setIsAdding(false)} />}
      {edited !== undefined && <EditUser user={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
