// The command that logs in to a server: it makes an access token there, and keeps it as a context.
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { COMMAND_VARIABLES } from '../../../server/settings.ts';
import { changeContexts } from '../../contexts/change-contexts.ts';
import { defaultName, findContext, mustBeContextName, type StoredContext, withContext } from '../../contexts/contexts.ts';
import { readContexts } from '../../contexts/contexts-file.ts';
import { fetchJson, sending } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { askHidden, askLine } from '../../terminal/prompt.ts';
import { authorizationOf, type RemoteServer, serverAddress } from '../../terminal/target.ts';
import { revokeKept } from './revoke.ts';

interface LoginValues {
  readonly context: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  readonly 'token-stdin': boolean;
  readonly 'ca-file': string | undefined;
}

const TOKENS_PATH = '/api/current_user/access_tokens';

export async function runLogin({ values, positionals: [given] }: ParsedArguments<LoginValues>, context: Context): Promise<number> {
  if (values.context !== undefined) mustBeContextName(values.context);
  const { environment } = context;
  readContexts(environment); // a file that cannot be read is reported before a token is made
  const url = serverAddress(await addressIn(given, values, context));
  const name = values.context ?? defaultName(url);
  const caFile = values['ca-file'] === undefined ? undefined : resolve(context.directory, values['ca-file']);
  const server = { url, ...(caFile !== undefined && { caFile }) };
  const token = await tokenIn(values, context);
  const login = token === undefined ? await byPassword(server, values, context) : await byToken(server, token);
  const made: StoredContext = { url, ...login, ...(caFile !== undefined && { ca_file: caFile }) };
  let earlier: StoredContext | undefined;
  const path = await changeContexts((kept) => {
    earlier = Object.hasOwn(kept.contexts, name) ? kept.contexts[name] : undefined;
    return withContext(kept, name, made);
  }, environment);
  context.out.write(`Logged in to ${url} as ${login.user}. The context ${name} is the current one now, kept in ${path}.\n`);
  if (earlier) await forget(earlier, name, context);
  return 0;
}

/** That of the command line, of the environment, or of the context to log in to again. */
async function addressIn(given: string | undefined, { context: name }: LoginValues, context: Context): Promise<string> {
  const { environment, input } = context;
  const known = given ?? (environment[COMMAND_VARIABLES.url] || undefined);
  if (known !== undefined) return known;
  const contexts = readContexts(environment);
  const earlier = name === undefined || Object.hasOwn(contexts.contexts, name) ? findContext(contexts, name) : undefined;
  if (earlier) return earlier.url;
  if (!input.isTTY) throw new UsageError('URL is missing: the address of the server, such as https://cd.example.org.');
  return askLine('Address of the server: ', context);
}

async function tokenIn({ token, 'token-stdin': isRead, user }: LoginValues, context: Context): Promise<string | undefined> {
  if (isRead && token !== undefined) throw new UsageError('Give --token or --token-stdin, not both.');
  if ((isRead || token !== undefined) && user !== undefined) throw new UsageError('A token says who it belongs to: leave --user out.');
  const given = isRead ? (await text(context.input)).trim() : token?.trim();
  if (isRead && given === '') throw new UsageError('Standard input holds no token.');
  return given || undefined;
}

type Login = Pick<StoredContext, 'user' | 'token' | 'token_id'>;

/** Without `token_id`: the token was not created here, so `logout` does not revoke it. */
async function byToken(server: Omit<RemoteServer, 'authorization'>, token: string): Promise<Login> {
  const { login_name: user } = await fetchJson(
    { ...server, authorization: authorizationOf({ token, user: undefined, password: undefined })! },
    '/api/current_user',
  );
  return { user: textIn(user, server), token };
}

async function byPassword(server: Omit<RemoteServer, 'authorization'>, values: LoginValues, context: Context): Promise<Login> {
  const { environment, input } = context;
  const known = values.user ?? (environment[COMMAND_VARIABLES.user]?.trim() || undefined);
  if (known === undefined && !input.isTTY) throw new UsageError('Give --user, or --token-stdin: there is no terminal to ask.');
  const user = known ?? (await askLine(`User of ${server.url}: `, context));
  const given = values.password ?? (environment[COMMAND_VARIABLES.password] || undefined);
  if (given === undefined && !input.isTTY)
    throw new UsageError(`There is no terminal to ask for the password of ${user}: set ${COMMAND_VARIABLES.password}.`);
  const password = given ?? (await askHidden(`Password of ${user}: `, context));
  if (user === '' || password === '') throw new CommandFailed('Cancelled: the name or the password is empty.');
  const { username, token, id } = await fetchJson(
    { ...server, authorization: authorizationOf({ token: undefined, user, password })! },
    TOKENS_PATH,
    sending('POST', { description: `slipway CLI on ${hostname()}` }),
  );
  return { user: textIn(username, server), token: textIn(token, server), ...(typeof id === 'number' && { token_id: id }) };
}

/** A file with anything else could not be read again, and the other logins in it would be lost, too. */
function textIn(member: unknown, { url }: Pick<RemoteServer, 'url'>): string {
  if (typeof member === 'string' && member !== '') return member;
  throw new CommandFailed(`${url} does not answer as a Slipway server does: its answer has no name or token.`);
}

/** The token of a login that has been replaced. */
async function forget(earlier: StoredContext, name: string, context: Context): Promise<void> {
  try {
    await revokeKept(earlier);
  } catch (failure) {
    if (!(failure instanceof CommandFailed)) throw failure;
    context.err.write(`The token that ${name} had before could not be revoked: ${failure.message}\n`);
  }
}
