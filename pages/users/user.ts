// Users as the API gives them, and which of them are shown.
import { hasWords } from '../kit/text/text.ts';

export const USERS_ADDRESS = '/api/users';
export const USERS_VERSION = 3;

export interface User {
  readonly login_name: string;
  readonly display_name: string;
  readonly enabled: boolean;
  readonly email: string;
  readonly email_me: boolean;
  readonly checkin_aliases: readonly string[];
  readonly is_admin: boolean;
  /** Absent: a person. */
  readonly service_account?: boolean;
  readonly roles: readonly { readonly name: string; readonly type: string }[];
}

export interface UserList {
  readonly _embedded: { readonly users: readonly User[] };
}

export const FILTERS = { all: 'All', enabled: 'Enabled', disabled: 'Disabled', admins: 'Administrators' } as const;
export type Filter = keyof typeof FILTERS;

/** What stands in the address; anybody can have written it. */
export function filterOf(text: string): Filter {
  return text === 'enabled' || text === 'disabled' || text === 'admins' ? text : 'all';
}

const CHOSEN_BY: Readonly<Record<Filter, (user: User) => boolean>> = {
  all: () => true,
  enabled: ({ enabled }) => enabled,
  disabled: ({ enabled }) => !enabled,
  admins: ({ is_admin }) => is_admin,
};

export function shownUsers(users: readonly User[], filter: Filter, search: string): User[] {
  return users.filter((user) => CHOSEN_BY[filter](user) && hasWords(textOf(user), search));
}

function textOf({ login_name, display_name, email, checkin_aliases, roles }: User): string {
  return [login_name, display_name, email, ...checkin_aliases, ...roles.map(({ name }) => name)].join('\n');
}

/** `12 users, 2 disabled`. */
export function countsText(users: readonly User[]): string {
  const disabled = users.filter(({ enabled }) => !enabled).length;
  return `${users.length} ${users.length === 1 ? 'user' : 'users'}${disabled > 0 ? `, ${disabled} disabled` : ''}`;
}
