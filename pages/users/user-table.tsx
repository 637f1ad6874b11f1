// Users in rows, of which some can be chosen.
import { useFirstRows } from '../kit/list/first-rows.tsx';
import type { User } from './user.ts';

interface UserTableProps {
  readonly users: readonly User[];
  /** The login names of the chosen users. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onEdit: (user: User) => void;
}

export function UserTable({ users, chosen, onChoose, onEdit }: UserTableProps) {
  const { rows, more } = useFirstRows(users);
  const names = rows.map(({ login_name }) => login_name);
  return (
    <>
      <div class="table-scroll">
        <table class="users">
          <thead>
            <tr>
              <td>
                <input
                  type="checkbox"
                  aria-label="Choose all"
                  checked={names.every((name) => chosen.has(name))}
                  onInput={({ currentTarget }) => onChoose(new Set(currentTarget.checked ? names : []))}
                />
              </td>
              <th scope="col">Login name</th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Roles</th>
              <th scope="col">Mail</th>
              <th scope="col">Commits as</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((user) => (
              <UserRow
                key={user.login_name}
                user={user}
                isChosen={chosen.has(user.login_name)}
                onChoose={() => onChoose(chosen.symmetricDifference(new Set([user.login_name])))}
                onEdit={() => onEdit(user)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onEdit: () => void;
}

function UserRow({ user, isChosen, onChoose, onEdit }: UserRowProps) {
  const { login_name, display_name, enabled, is_admin, service_account, roles, email, email_me, checkin_aliases } = user;
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Choose ${login_name}`} checked={isChosen} onInput={onChoose} />
      </td>
      <td>
        <button type="button" class="link-button" onClick={onEdit}>
          {login_name}
        </button>{' '}
        {is_admin && <span class="badge">administrator</span>} {service_account === true && <span class="badge">service account</span>}
      </td>
      <td>{display_name}</td>
      <td>{enabled ? 'enabled' : <span class="badge is-warning">disabled</span>}</td>
      <td>{roles.map(({ name }) => name).join(', ')}</td>
      <td>
        {email} {email !== '' && !email_me && <span class="quiet">(wants no mail)</span>}
      </td>
      <td>{checkin_aliases.join(', ')}</td>
    </tr>
  );
}
