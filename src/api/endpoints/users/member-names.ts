// The names of users and roles, for those who may give rights to them but not list users with their mail addresses and roles.
import { described, objectSchema, TEXTS } from '../../../shape/json/schemas.ts';
import { EXAMPLE_LOGIN } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';

export interface MemberNames {
  userNames(): readonly string[];
  roleNames(): readonly string[];
}

export function memberNamesRoute({ userNames, roleNames }: MemberNames): Route {
  return {
    method: 'GET',
    path: '/api/admin/internal/member_names',
    version: 1,
    permission: 'anyAdmin',
    description: {
      chapter: 'users',
      summary: 'The names of all users and roles',
      details: 'For forms that give rights to users and roles: they can offer these names.',
      response: objectSchema({
        users: described(TEXTS, 'The login names of all users.'),
        roles: described(TEXTS, 'The names of all roles.'),
      }),
      example: { users: [EXAMPLE_LOGIN], roles: ['release-team'] },
    },
    handle: () => jsonAnswer({ users: inOrder(userNames()), roles: inOrder(roleNames()) }),
  };
}

function inOrder(names: readonly string[]): string[] {
  return names.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
}
