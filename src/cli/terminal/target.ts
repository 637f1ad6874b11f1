// Where a command works: on the data directory of a server that is stopped, or through one that runs.
import { resolve } from 'node:path';
import { COMMAND } from '../../kit/process/own-commands.ts';
import { COMMAND_VARIABLES, variableOf } from '../../server/settings.ts';
import { findContext } from '../contexts/contexts.ts';
import { readContexts } from '../contexts/contexts-file.ts';
import type { Context, Environment } from './context.ts';
import { UsageError } from './failures.ts';
import { DEFAULT_DATA_DIR } from './flags.ts';

/** A server that runs, and how to log in there. */
export interface RemoteServer {
  readonly url: string;
  readonly authorization: string;
  /** The authority that signed its certificate; absent: one of those that are trusted anyway. */
  readonly caFile?: string;
}

export type Target = { readonly dataDir: string } | RemoteServer;

/** The values of `SERVER_FLAGS`. */
export interface ServerValues {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly context?: string | undefined;
  readonly 'ca-file'?: string | undefined;
}

/** The values of `TARGET_FLAGS`. */
export interface TargetValues extends ServerValues {
  readonly 'data-dir': string | undefined;
}

type Directories = Pick<Context, 'environment' | 'directory'>;

/** Flags win over the environment, and the environment over the usual data directory. */
export function targetOf(values: TargetValues, context: Directories): Target {
  const { url, context: name, 'data-dir': dataDir } = values;
  if ((url ?? name) !== undefined && dataDir !== undefined)
    throw new UsageError(`Give --${url === undefined ? 'context' : 'url'} or --data-dir, not both.`);
  const isLocal = dataDir !== undefined || !namesServer(values, context.environment);
  return isLocal ? { dataDir: dataDirOf(dataDir, context) } : serverOf(values, context);
}

/** The server of a command that needs one that runs. */
export function serverOf(values: ServerValues, context: Directories): RemoteServer {
  const named = serverNamed(values, context);
  if (named === undefined)
    throw new UsageError(
      `Log in with ${COMMAND} login URL, or name the server with --url (${COMMAND_VARIABLES.url}): this command needs one that runs.`,
    );
  const { login, caFile } = named;
  const url = serverAddress(named.url);
  const authorization = authorizationOf(login);
  if (authorization !== undefined) return { url, authorization, ...(caFile !== undefined && { caFile }) };
  // At a terminal it has been asked for.
  if (login.user !== undefined)
    throw new UsageError(`There is no terminal to ask for the password of ${login.user}: set ${COMMAND_VARIABLES.password}.`);
  throw new UsageError(`--url needs a login: give --token (${COMMAND_VARIABLES.token}), or --user and --password.`);
}

/** The address of a server as it is kept: checked, and without a slash at its end. */
export function serverAddress(url: string): string {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw new UsageError('--url must be an address such as https://cd.example.org.');
  if (username || password) throw new UsageError('--url must not contain a name or password: give --token, or --user and --password.');
  return url.replace(/\/+$/, '');
}

export interface NamedServer {
  readonly url: string;
  readonly login: Login;
  readonly caFile: string | undefined;
}

/**
 * Which server is meant, and the login that is known for it: options before variables, and these before the current context. A login of
 * the environment counts only for an address that is given: no other server gets to see it.
 */
export function serverNamed(values: ServerValues, { environment, directory }: Directories): NamedServer | undefined {
  const { url, context: name, 'ca-file': caFile } = values;
  if (url !== undefined && name !== undefined) throw new UsageError('Give --url or --context, not both.');
  const authority = caFile === undefined ? undefined : resolve(directory, caFile);
  const variable = environment[COMMAND_VARIABLES.context] || undefined;
  const address = name === undefined ? urlOf(values, environment) : undefined;
  if (address !== undefined && url === undefined && variable !== undefined)
    throw new UsageError(`${COMMAND_VARIABLES.url} and ${COMMAND_VARIABLES.context} both name a server: unset one of them.`);
  if (address !== undefined) return { url: address, login: loginOf(values, environment), caFile: authority };
  const kept = findContext(readContexts(environment), name ?? variable);
  if (!kept) return undefined;
  const { [COMMAND_VARIABLES.password]: password } = environment;
  const given = loginOf(values, { [COMMAND_VARIABLES.password]: password });
  const login = given.token === undefined && given.user === undefined ? { token: kept.token, user: kept.user, password: undefined } : given;
  return { url: kept.url, login, caFile: authority ?? kept.ca_file };
}

/** Whether a server is named, other than by the current context. */
export function namesServer({ url, context }: Pick<ServerValues, 'url' | 'context'>, environment: Environment): boolean {
  return (url ?? context ?? (environment[COMMAND_VARIABLES.url] || environment[COMMAND_VARIABLES.context] || undefined)) !== undefined;
}

function urlOf({ url }: Pick<ServerValues, 'url'>, environment: Environment): string | undefined {
  return url ?? (environment[COMMAND_VARIABLES.url] || undefined);
}

export function dataDirOf(flag: string | undefined, { environment, directory }: Directories): string {
  return flag === undefined ? resolve(environment[variableOf('data-dir')] || DEFAULT_DATA_DIR) : resolve(directory, flag);
}

export interface Login {
  readonly token: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** How to log in. A user on the command line wins over a token in the environment. */
export function loginOf(values: Login, environment: Environment): Login {
  const given = (name: 'token' | 'user') => values[name]?.trim() || undefined;
  const known = (name: 'token' | 'user') => given(name) ?? (environment[COMMAND_VARIABLES[name]]?.trim() || undefined);
  const token = given('user') === undefined ? known('token') : given('token');
  return { token, user: known('user'), password: values.password || environment[COMMAND_VARIABLES.password] || undefined };
}

export function authorizationOf({ token, user, password }: Login): string | undefined {
  if (token !== undefined) return `bearer ${token}`;
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
