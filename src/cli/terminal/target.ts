// Where a command works: on the data directory of a server that is stopped, or through one that runs.
import { resolve } from 'node:path';
import { COMMAND_VARIABLES, variableOf } from '../../server/settings.ts';
import type { Context, Environment } from './context.ts';
import { UsageError } from './failures.ts';
import { DEFAULT_DATA_DIR } from './flags.ts';

/** A server that runs, and how to log in there. */
export interface RemoteServer {
  readonly url: string;
  readonly authorization: string;
}

export type Target = { readonly dataDir: string } | RemoteServer;

/** The values of `SERVER_FLAGS`. */
export interface ServerValues {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** The values of `TARGET_FLAGS`. */
export interface TargetValues extends ServerValues {
  readonly 'data-dir': string | undefined;
}

type Directories = Pick<Context, 'environment' | 'directory'>;

/** What was given on the command line wins over the environment, and the environment over the usual data directory. */
export function targetOf(values: TargetValues, context: Directories): Target {
  const { url, 'data-dir': dataDir } = values;
  if (url !== undefined && dataDir !== undefined) throw new UsageError('Give --url or --data-dir, not both.');
  const isHere = dataDir !== undefined || urlOf(values, context.environment) === undefined;
  return isHere ? { dataDir: dataDirOf(dataDir, context) } : serverOf(values, context);
}

/** The server of a command that needs one that runs. */
export function serverOf(values: ServerValues, { environment }: Pick<Context, 'environment'>): RemoteServer {
  const url = urlOf(values, environment);
  if (url === undefined) throw new UsageError(`Name the server with --url (${COMMAND_VARIABLES.url}): this command needs one that runs.`);
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw new UsageError('--url must be an address such as https://cd.example.org.');
  if (username || password) throw new UsageError('--url must not contain a name or password: give --token, or --user and --password.');
  const login = loginOf(values, environment);
  const authorization = authorizationOf(login);
  if (authorization !== undefined) return { url: url.replace(/\/+$/, ''), authorization };
  // At a terminal it has been asked for.
  if (login.user !== undefined)
    throw new UsageError(`There is no terminal to ask for the password of ${login.user}: set ${COMMAND_VARIABLES.password}.`);
  throw new UsageError(`--url needs a login: give --token (${COMMAND_VARIABLES.token}), or --user and --password.`);
}

export function urlOf({ url }: Pick<ServerValues, 'url'>, environment: Environment): string | undefined {
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

function authorizationOf({ token, user, password }: Login): string | undefined {
  if (token !== undefined) return `bearer ${token}`;
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
