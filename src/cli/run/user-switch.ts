// The commands that disable and enable a user of a running server.
import { closest } from '../../kit/text/closest.ts';
import { answerOf, askServer, fetchJson, refusalOf, sending } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import type { Context } from '../terminal/context.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../terminal/target.ts';

const USERS = '/api/users';
const NOT_FOUND = 404;

interface UserList {
  readonly _embedded: { readonly users: readonly { readonly login_name: string }[] };
}

export function runUserDisable(given: ParsedArguments<ServerValues>, context: Context): Promise<number> {
  return switchUser(given, context, false);
}

export function runUserEnable(given: ParsedArguments<ServerValues>, context: Context): Promise<number> {
  return switchUser(given, context, true);
}

async function switchUser(
  { values, positionals: [name = ''] }: ParsedArguments<ServerValues>,
  context: Context,
  enabled: boolean,
): Promise<number> {
  const server = serverOf(values, context);
  const response = await askServer(server, `${USERS}/${encodeURIComponent(name)}`, sending('PATCH', { enabled }));
  const answer = await answerOf(response, server);
  if (response.status === NOT_FOUND) throw await unknownUser(name, server);
  if (!response.ok) throw refusalOf(response, answer, server);
  context.out.write(`${name} is ${enabled ? 'enabled' : 'disabled'}.\n`);
  return 0;
}

/** A user who has a password, but never logged in, is unknown, too. */
async function unknownUser(name: string, server: RemoteServer): Promise<CommandFailed> {
  const { _embedded } = await fetchJson<UserList>(server, USERS);
  const meant = closest(
    name,
    _embedded.users.map((user) => user.login_name),
  );
  const hint =
    meant === undefined
      ? 'They have never logged in. To lock out a user who has a password but never logged in, remove their line from the password file.'
      : `Did you mean ${meant}?`;
  return new CommandFailed(`${server.url} does not know ${name}. ${hint}`);
}
