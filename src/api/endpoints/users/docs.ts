// The messages and the documentation of the routes of users.
import { newUser } from '../../../access/users/users.ts';
import { described, embeddedSchema, FLAG, MESSAGE, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_LOGIN } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { patchedUser, USER_CHANGES, USER_MEMBERS, userJson, userListJson } from './json.ts';

export const unknownUser = (login: string) => `User with login name '${login}' was not found!`;
export const looksLike = (login: string, other: string) =>
  `Failed to add User '${login}'. The name looks like that of the User '${other}', though it is written with other characters.`;
export const notDisabled = (login: string) => `User '${login}' is not disabled.`;
export const deleted = (login: string) => `User with login name '${login}' was deleted successfully!`;
export const allDeleted = (logins: readonly string[]) => `Users '${logins.join(', ')}' were deleted successfully.`;
export const switched = (logins: readonly string[], enabled: boolean) =>
  `Users '${logins.join(', ')}' were ${enabled ? 'enabled' : 'disabled'} successfully.`;

const changes = { enabled: described(FLAG, 'Whether the user may log in.'), ...USER_CHANGES };
const LOGIN_NAME = {
  ...TEXT,
  maxLength: 255,
  description:
    'The login name: no colons, control characters, invisible characters, or blanks at either end. It must differ from the name of every other user, also in how it looks.',
};
const LOGINS = described(TEXTS, 'Login names.');
const bodies = {
  add: {
    schema: objectSchema({ login_name: LOGIN_NAME }, { others: changes }),
    example: { login_name: EXAMPLE_LOGIN, email: 'jez@example.org', email_me: true },
  },
  change: { schema: { type: 'object', properties: changes }, example: { enabled: true, email: 'jez@example.org' } },
  switchAll: {
    schema: objectSchema({
      users: LOGINS,
      operations: described(objectSchema({ enable: described(FLAG, 'Whether they may log in.') }), 'What to change.'),
    }),
    example: { users: [EXAMPLE_LOGIN], operations: { enable: true } },
  },
  removeAll: { schema: objectSchema({ users: LOGINS }), example: { users: [EXAMPLE_LOGIN] } },
};

const user = userJson(
  patchedUser(newUser(EXAMPLE_LOGIN), bodies.add.example),
  { isAdmin: false, roles: [{ name: 'release-team', type: 'svc' }] },
  EXAMPLE_BASE,
);
const userSchema = objectSchema(
  {
    ...USER_MEMBERS,
    is_admin: described(FLAG, 'Whether the user is an administrator, by name or by role.'),
    roles: {
      type: 'array',
      items: objectSchema({
        name: described(TEXT, 'The name of the role.'),
        type: described(TEXT, '`svc`: it lists its members; `plugin`: a plugin decides.'),
      }),
      description: 'The roles of the user.',
    },
  },
  { title: 'User', others: { service_account: { ...FLAG, description: 'Whether it is a service account. Absent: a person.' } } },
);
const shown = { response: userSchema, example: user, hasEtag: true };
const parameters = { login_name: { description: 'The login name of the user, case-insensitive.', example: EXAMPLE_LOGIN } };
const failures = { 404: { example: { message: unknownUser('unknown') } } };
const notAcceptable = { when: 'The body is not JSON, or something in it is not valid.' };

export const DESCRIPTIONS = {
  list: {
    summary: 'List of users',
    response: embeddedSchema('users', userSchema),
    example: userListJson([user], EXAMPLE_BASE),
    hasEtag: true,
  },
  add: {
    ...shown,
    summary: 'Add a user',
    request: bodies.add,
    failures: { 400: notAcceptable, 422: { example: { message: "Json `{}` does not contain property 'login_name'" } } },
  },
  show: { ...shown, summary: 'Show a user', parameters, failures },
  change: {
    ...shown,
    summary: 'Change a user',
    parameters,
    request: bodies.change,
    ifMatch: 'optional',
    failures: { ...failures, 400: notAcceptable, 412: STALE_RECORD },
  },
  remove: {
    ifMatch: 'optional',
    summary: 'Delete a disabled user',
    parameters,
    response: MESSAGE,
    example: { message: deleted(EXAMPLE_LOGIN) },
    failures: {
      ...failures,
      400: { when: 'The user is not disabled.', example: { message: notDisabled(EXAMPLE_LOGIN) } },
      412: STALE_RECORD,
    },
  },
  switchAll: {
    summary: 'Enable or disable users',
    request: bodies.switchAll,
    response: MESSAGE,
    example: { message: switched(bodies.switchAll.example.users, bodies.switchAll.example.operations.enable) },
    failures: { 422: { when: 'Some of the users do not exist, or the body is not complete.' } },
  },
  removeAll: {
    summary: 'Delete disabled users',
    request: bodies.removeAll,
    response: MESSAGE,
    example: { message: allDeleted(bodies.removeAll.example.users) },
    ifMatch: 'optional',
    failures: { 412: STALE_RECORD, 422: { when: 'Some of the users do not exist, or are enabled.' } },
  },
} satisfies Readonly<Record<string, Omit<RouteDescription, 'chapter'>>>;
