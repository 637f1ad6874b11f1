// The flags that several commands share.
import { COMMAND_VARIABLES, variableOf } from '../../server/settings.ts';

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

/** Of a command that needs a running server. */
export const SERVER_FLAGS = {
  url: { value: 'URL', about: 'address of the server', variable: COMMAND_VARIABLES.url },
  ...LOGIN_FLAGS,
} as const;

/** Of a command that works on a data directory, or through a running server. */
export const TARGET_FLAGS = {
  [DATA_DIR]: { ...DATA_DIR_FLAG[DATA_DIR], about: 'data directory of a server that is stopped' },
  url: { ...SERVER_FLAGS.url, about: 'address of a running server to work through instead' },
  ...LOGIN_FLAGS,
} as const;

export const JSON_FLAG = { json: { about: 'print the answer of the server as JSON' } } as const;

export const EXIT_CODES = { 0: 'done', 1: 'refused or failed', 2: 'wrong command line' } as const;
