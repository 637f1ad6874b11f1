// The command that creates an access token, and prints nothing else.
import { hostname } from 'node:os';
import { COMMAND_VARIABLES } from '../../server/settings.ts';
import { fetchJson, sending } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import type { Context } from '../terminal/context.ts';
import { UsageError } from '../terminal/failures.ts';
import { loginOf, type ServerValues, serverOf } from '../terminal/target.ts';

interface TokenValues extends Omit<ServerValues, 'token'> {
  readonly description: string | undefined;
  readonly 'expires-at': string | undefined;
  readonly scope: readonly string[];
  readonly 'allowed-address': readonly string[];
  readonly json: boolean;
}

export async function runTokenCreate({ values }: ParsedArguments<TokenValues>, context: Context): Promise<number> {
  const login = { ...values, token: undefined };
  const { token, user } = loginOf(login, context.environment);
  if (token !== undefined) throw new UsageError('An access token cannot create another one: log in with --user and --password.');
  if (user === undefined) throw new UsageError(`Log in with --user (${COMMAND_VARIABLES.user}) and a password.`);
  const created = await fetchJson<{ readonly token: string }>(
    serverOf(login, context),
    '/api/current_user/access_tokens',
    sending('POST', tokenRequestOf(values)),
  );
  context.out.write(values.json ? `${JSON.stringify(created, undefined, 2)}\n` : `${created.token}\n`);
  return 0;
}

/** Only the limits that were given: without them the server is asked as for a token that has none. */
function tokenRequestOf({ description, 'expires-at': end, scope: scopes, 'allowed-address': addresses }: TokenValues) {
  return {
    description: description ?? `slipway token create on ${hostname()}`,
    ...(end !== undefined && { expires_at: timeIn(end) }),
    ...(scopes.length > 0 && { scopes }),
    ...(addresses.length > 0 && { allowed_addresses: addresses }),
  };
}

/** A day stands for its beginning, in UTC. */
function timeIn(text: string): string {
  const time = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--expires-at must be a time such as 2027-01-31T02:30:00Z, not '${text}'.`);
  return time.toISOString();
}
