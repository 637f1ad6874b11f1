// The flags that several commands share.
import { COMMAND_VARIABLES, variableOf } from '../../server/settings.ts';
import { OUTPUTS } from './outputs.ts';

const DATA_DIR = 'data-dir';
export const DEFAULT_DATA_DIR = './data';

export const DATA_DIR_FLAG = {
  [DATA_DIR]: { value: 'DIR', about: 'data directory of the server', variable: variableOf(DATA_DIR), absent: DEFAULT_DATA_DIR },
} as const;

/** Of a command that reads or fills a PostgreSQL database. */
export const DATABASE_URL_FLAG = {
  'database-url': {
    value: 'URL',
    about: 'address of the PostgreSQL database; the password comes by SLIPWAY_DATABASE_PASSWORD or SLIPWAY_DATABASE_PASSWORD_FILE',
    variable: variableOf('database-url'),
  },
} as const;

const LOGIN_FLAGS = {
  token: { value: 'TOKEN', about: 'access token to log in with', variable: COMMAND_VARIABLES.token },
  user: { value: 'NAME', about: 'or the login name', variable: COMMAND_VARIABLES.user },
  password: {
    value: 'WORD',
    about: `password (prompted if omitted; prefer ${COMMAND_VARIABLES.password})`,
  },
} as const;

const CONTEXT_FLAGS = {
  context: { value: 'NAME', about: 'server and login that login has kept', variable: COMMAND_VARIABLES.context, offers: 'context' },
  'ca-file': { value: 'FILE', about: 'authority (PEM) that signed the certificate of the server', offers: 'file' },
} as const;

/** Of a command that needs a running server. */
export const SERVER_FLAGS = {
  url: { value: 'URL', about: 'address of the server', variable: COMMAND_VARIABLES.url },
  ...LOGIN_FLAGS,
  ...CONTEXT_FLAGS,
} as const;

/** Of a command that works on a data directory, or through a running server. */
export const TARGET_FLAGS = {
  [DATA_DIR]: { ...DATA_DIR_FLAG[DATA_DIR], about: 'data directory of a server that is stopped' },
  url: { ...SERVER_FLAGS.url, about: 'address of a running server to work through instead' },
  ...LOGIN_FLAGS,
  ...CONTEXT_FLAGS,
} as const;

/** Of a command that prints the answers of a server. */
export const OUTPUT_FLAG = {
  output: { value: 'FORMAT', short: 'o', choices: OUTPUTS, about: `${OUTPUTS.join(', ')}: for people, for programs, or only the names` },
} as const;

/** Of a command that changes the configuration. */
export const CHANGE_FLAGS = {
  'dry-run': { about: 'show what would change, and change nothing' },
  reason: { value: 'TEXT', about: 'why, for the history' },
} as const;

export const YES_FLAG = { yes: { short: 'y', about: 'do not ask' } } as const;
export const FILE_FLAG = { file: { value: 'FILE', short: 'f', about: 'YAML or JSON, or - for standard input', offers: 'file' } } as const;
export const AT_FLAG = {
  at: { value: 'WHEN', about: 'as it was: the number of a revision, or a time such as 2026-01-31T02:30:00Z' },
} as const;

export const JSON_FLAG = { json: { about: 'print the answer of the server as JSON' } } as const;

/** Of a command that asks a server, and distinguishes failures. */
export const SERVER_EXIT_CODES = {
  0: 'done',
  1: 'refused or failed',
  2: 'wrong command line',
  3: 'not found',
  4: 'no login, or no rights',
  5: 'another user has changed it meanwhile, or it exists already',
  6: 'the server cannot be reached',
  7: 'it is not known whether it was done',
} as const;

export const EXIT_CODES = { 0: 'done', 1: 'refused or failed', 2: 'wrong command line' } as const;
