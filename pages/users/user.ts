// Users as the API gives them, and which of them are shown.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import { matchesSearch } from '../kit/text/text.ts';

export type User = ListItem<'GET /api/users', 'users'>;
export type UserList = Pick<AnswerOf<'GET /api/users'>, '_embedded'>;

export const USERS_ADDRESS = '/api/users';
export const USERS_VERSION = 3;

export const FILTERS = { all: 'All', enabled: 'Enabled', disabled: 'Disabled', admins: 'Administrators' } as const;
export type Filter = keyof typeof FILTERS;

/** `text` is from the address of the page, so it can be anything. */
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
  return users.filter((user) => CHOSEN_BY[filter](user) && matchesSearch(textOf(user), search));
}

function textOf({ login_name, display_name, email, checkin_aliases, roles }: User): string {
  return [login_name, display_name, email, ...checkin_aliases, ...roles.map(({ name }) => name)].join('\n');
}

/** `12 users, 2 disabled`. */
export function countsText(users: readonly User[]): string {
  const disabled = users.filter(({ enabled }) => !enabled).length;
  return `${users.length} ${users.length === 1 ? 'user' : 'users'}${disabled > 0 ? `, ${disabled} disabled` : ''}`;
}
