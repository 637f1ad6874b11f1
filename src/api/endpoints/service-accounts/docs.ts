// The documentation of the routes of service accounts.
import { described, embeddedSchema, FLAG, LINKS, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { ACCOUNT_PARAMETER, accountJson, accountListJson, EXAMPLE_ACCOUNT, newAccount, unknownAccount } from './json.ts';

export const deleted = (name: string) => `Service account '${name}' was deleted, and its access tokens were revoked.`;
export const taken = (name: string) => `Failed to add the service account '${name}'. Another user with the same name already exists.`;
export const looksLike = (name: string, other: string) =>
  `Failed to add the service account '${name}'. The name looks like that of the user '${other}', though it is written with other characters.`;
export const unknownOwner = (owner: string) =>
  `The field 'owner' must name a user who can log in: '${owner.slice(0, 255)}' is none. Add the user first, or name another one.`;
export const NO_NAME = "The field 'name' is missing: give the account a name to log in with.";

const CHANGES = {
  description: described(TEXT, 'What it is for.'),
  owner: described(TEXT, 'The login name of the user who is responsible for it.'),
  enabled: described(FLAG, 'Whether the server accepts its access tokens.'),
};
const example = accountJson(newAccount(EXAMPLE_ACCOUNT, { description: 'publishes releases', owner: 'admin' }), EXAMPLE_BASE);
const schema = objectSchema(
  { _links: LINKS, name: described(TEXT, 'Its login name, as used in roles and groups.'), ...CHANGES },
  { title: 'Service account' },
);
const shown = { response: schema, example, hasEtag: true };
const parameters = { name: ACCOUNT_PARAMETER };
const failures = { 404: { example: { message: unknownAccount('unknown') } } };

export const DESCRIPTIONS = {
  list: {
    summary: 'List of service accounts',
    response: embeddedSchema('service_accounts', schema),
    example: accountListJson([newAccount(EXAMPLE_ACCOUNT, { description: 'publishes releases', owner: 'admin' })], EXAMPLE_BASE),
    hasEtag: true,
  },
  add: {
    ...shown,
    summary: 'Add a service account',
    details:
      'It is a user without a password: programs use it with access tokens that administrators make. Roles, pipeline groups and system administrators can name it like any user.',
    request: {
      schema: objectSchema(
        { name: described(TEXT, 'A valid login name, unlike the name of any other user.') },
        { others: { ...CHANGES, owner: described(TEXT, 'The login name of the user who is responsible for it. Left out: the caller.') } },
      ),
      example: { name: EXAMPLE_ACCOUNT, description: 'publishes releases', owner: 'admin' },
    },
    failures: { 422: { when: 'The name is not valid or already taken, or the owner is unknown.', example: { message: NO_NAME } } },
  },
  show: { ...shown, summary: 'Show a service account', parameters, failures },
  change: {
    ...shown,
    summary: 'Change a service account',
    details: 'Fields that the body leaves out stay as they are.',
    parameters,
    request: { schema: { type: 'object', properties: CHANGES }, example: { description: 'publishes releases', owner: 'admin' } },
    ifMatch: 'optional',
    failures: { ...failures, 412: STALE_RECORD, 422: { when: 'The owner is unknown.', example: { message: unknownOwner('nobody') } } },
  },
  remove: {
    summary: 'Delete a service account, and revoke its access tokens',
    parameters,
    response: MESSAGE,
    example: { message: deleted(EXAMPLE_ACCOUNT) },
    ifMatch: 'optional',
    failures: { ...failures, 412: STALE_RECORD },
  },
} satisfies Readonly<Record<string, Omit<RouteDescription, 'chapter'>>>;
