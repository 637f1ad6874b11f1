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
  readonly json: boolean;
}

export async function runTokenCreate({ values }: ParsedArguments<TokenValues>, context: Context): Promise<number> {
  const { description = `slipway token create on ${hostname()}` } = values;
  const login = { ...values, token: undefined };
  const { token, user } = loginOf(login, context.environment);
  if (token !== undefined) throw new UsageError('An access token cannot create another one: log in with --user and --password.');
  if (user === undefined) throw new UsageError(`Log in with --user (${COMMAND_VARIABLES.user}) and a password.`);
  const created = await fetchJson<{ readonly token: string }>(
    serverOf(login, context),
    '/api/current_user/access_tokens',
    sending('POST', { description }),
  );
  context.out.write(values.json ? `${JSON.stringify(created, undefined, 2)}\n` : `${created.token}\n`);
  return 0;
}
