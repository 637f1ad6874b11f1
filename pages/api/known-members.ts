// The users and roles that the server knows, for fields that name them. Only administrators may list them.
import { useApi } from './queries.ts';
import { currentSession } from './session.ts';

interface UsersAnswer {
  readonly _embedded: { readonly users: readonly { readonly login_name: string }[] };
}

interface RolesAnswer {
  readonly _embedded: { readonly roles: readonly { readonly name: string }[] };
}

export interface KnownMembers {
  /** undefined: not known, or not for this caller. */
  readonly users: readonly string[] | undefined;
  readonly roles: readonly string[] | undefined;
}

const USERS_VERSION = 3;
const ROLES_VERSION = 3;

export function useKnownMembers(): KnownMembers {
  const isEnabled = currentSession()?.is_admin === true;
  const { data: users } = useApi<UsersAnswer>('/api/users', USERS_VERSION, { isEnabled });
  const { data: roles } = useApi<RolesAnswer>('/api/admin/security/roles', ROLES_VERSION, {
    isEnabled,
    changedBy: ({ kind }) => kind === 'config',
  });
  return {
    users: users?._embedded.users.map((user) => user.login_name),
    roles: roles?._embedded.roles.map(({ name }) => name),
  };
}
