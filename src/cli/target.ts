// Where a command works: on the data directory of a server that does not run, or through one that does.
import { resolve } from 'node:path';
import { COMMAND_VARIABLES, variableOf } from '../settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A server that runs, and how to log in there. */
export interface RemoteServer {
  readonly url: string;
  readonly authorization: string;
}

export type Target = { readonly dataDir: string } | RemoteServer;

export const DATA_DIR = 'data-dir';
export const DEFAULT_DATA_DIR = './data';

export const TARGET_OPTIONS = {
  [DATA_DIR]: { type: 'string' },
  url: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  token: { type: 'string' },
} as const;

export const LOGIN_USAGE = `  --token TOKEN       the access token of an administrator (${COMMAND_VARIABLES.token})
  --user NAME         or the name of one (${COMMAND_VARIABLES.user}) …
  --password WORD     … and the password (${COMMAND_VARIABLES.password}); better in the environment: others can see command lines
`;

export const REMOTE_USAGE = `  --url URL           the address of a server that runs, instead of a directory (${COMMAND_VARIABLES.url})
${LOGIN_USAGE}`;

type Values = { readonly [Name in keyof typeof TARGET_OPTIONS]?: string | undefined };

export function targetOf(values: Values, environment: Environment): Target | { readonly problem: string } {
  const url = values.url ?? (values[DATA_DIR] === undefined ? environment[COMMAND_VARIABLES.url] || undefined : undefined);
  if (url === undefined) return { dataDir: dataDirOf(values[DATA_DIR], environment) };
  if (values[DATA_DIR] !== undefined) return { problem: 'Give --url or --data-dir, not both.' };
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') return { problem: '--url must be an address such as https://cd.example.org.' };
  if (username || password) return { problem: '--url must not hold a name or password: give --token, or --user and --password.' };
  const authorization = authorizationOf(values, environment);
  if (authorization === undefined) {
    return { problem: `--url needs an administrator: give --token (${COMMAND_VARIABLES.token}), or --user and --password.` };
  }
  return { url: url.replace(/\/+$/, ''), authorization };
}

/** Of a command that needs a server that runs. */
export function serverOf(values: Values, environment: Environment): RemoteServer | { readonly problem: string } {
  const target = targetOf(values, environment);
  return 'dataDir' in target ? { problem: `Say which server, with --url (${COMMAND_VARIABLES.url}): this needs one that runs.` } : target;
}

export function dataDirOf(flag: string | undefined, environment: Environment): string {
  return resolve(flag ?? (environment[variableOf(DATA_DIR)] || DEFAULT_DATA_DIR));
}

/** What was given on the command line wins over what stands in the environment. */
function authorizationOf(values: Values, environment: Environment): string | undefined {
  const given = (name: 'token' | 'user' | 'password') => values[name]?.trim() || undefined;
  const known = (name: 'token' | 'user' | 'password') => given(name) ?? (environment[COMMAND_VARIABLES[name]]?.trim() || undefined);
  const token = given('user') === undefined ? known('token') : given('token');
  if (token !== undefined) return `bearer ${token}`;
  const [user, password] = [known('user'), known('password')];
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
