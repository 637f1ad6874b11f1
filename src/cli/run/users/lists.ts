// The commands that list users and access tokens, and that revoke and rotate a token.
import type { JsonObject } from '../../../shape/json/json.ts';
import { writeListing } from '../../output/listing.ts';
import { jsonText, withoutLinks } from '../../output/output.ts';
import { acceptedBy, fetchJson, sending } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { factText } from '../resources/columns.ts';

interface ListValues extends ServerValues {
  readonly output: string | undefined;
}

interface TokenListValues extends ListValues {
  readonly all: boolean;
}

interface RevokeValues extends ServerValues {
  readonly reason: string | undefined;
}

const OWN_TOKENS = '/api/current_user/access_tokens';
const ALL_TOKENS = '/api/admin/access_tokens';
const USERS = {
  path: '/api/users',
  key: 'users',
  id: 'login_name',
  columns: ['login_name', 'display_name', 'enabled', 'is_admin', 'email'],
};
const TOKENS = { key: 'access_tokens', id: 'id', columns: ['id', 'description', 'username', 'created_at', 'last_used_at', 'expires_at'] };

export function runUserList({ values }: ParsedArguments<ListValues>, context: Context): Promise<number> {
  return list(USERS, values, context);
}

export function runTokenList({ values }: ParsedArguments<TokenListValues>, context: Context): Promise<number> {
  mustBeByPassword(serverOf(values, context));
  return list({ ...TOKENS, path: values.all ? ALL_TOKENS : OWN_TOKENS }, values, context);
}

export async function runTokenRevoke({ values, positionals: [id = ''] }: ParsedArguments<RevokeValues>, context: Context): Promise<number> {
  mustBeTokenId(id);
  const { reason = 'revoked on the command line' } = values;
  await acceptedBy(serverOf(values, context), `${OWN_TOKENS}/${id}/revoke`, sending('POST', { revoke_cause: reason }));
  context.out.write(`The access token ${id} is revoked.\n`);
  return 0;
}

interface RotateValues extends ServerValues {
  readonly overlap: string | undefined;
  readonly json: boolean;
}

/** Prints the new token and nothing else. */
export async function runTokenRotate({ values, positionals: [id = ''] }: ParsedArguments<RotateValues>, context: Context): Promise<number> {
  mustBeTokenId(id);
  const { overlap } = values;
  if (overlap !== undefined && !/^\d{1,5}$/.test(overlap))
    throw new UsageError(`--overlap must be a number of minutes, not '${overlap.slice(0, 100)}'.`);
  const order = overlap === undefined ? {} : { overlap_minutes: Number(overlap) };
  const server = serverOf(values, context);
  mustBeByPassword(server);
  const made = await fetchJson<JsonObject>(server, `${OWN_TOKENS}/${id}/rotate`, sending('POST', order));
  context.out.write(values.json ? jsonText(made) : `${factText(made.token)}\n`);
  return 0;
}

/** The server would refuse it, too; a context is a token, which its user may not know. */
function mustBeByPassword({ authorization }: RemoteServer): void {
  if (authorization.startsWith('bearer '))
    throw new UsageError('Access tokens, and so contexts, can neither list nor rotate tokens: give --user, which asks for the password.');
}

function mustBeTokenId(id: string): void {
  if (!/^\d{1,15}$/.test(id)) throw new UsageError(`ID must be the number of a token, as token list shows it, not '${id.slice(0, 100)}'.`);
}

interface ServerList {
  readonly path: string;
  readonly key: string;
  readonly id: string;
  readonly columns: readonly string[];
}

async function list({ path, key, id, columns }: ServerList, values: ListValues, context: Context): Promise<number> {
  const answer = await fetchJson<{ readonly _embedded: Readonly<Record<string, readonly JsonObject[]>> }>(serverOf(values, context), path);
  const members = answer._embedded[key] ?? [];
  const listing = {
    key,
    members: members.map((one) => withoutLinks(one)),
    names: members.map((one) => factText(one[id])),
    table: () => ({
      head: columns.map((column) => column.replaceAll('_', ' ')),
      rows: members.map((one) => columns.map((column) => factText(one[column]))),
    }),
    none: 'There are none.',
  };
  return writeListing(listing, values, context);
}
