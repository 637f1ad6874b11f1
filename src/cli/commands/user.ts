// Declares the commands about users.
import { type Argument, command } from '../terminal/command.ts';
import { DATA_DIR_FLAG, DATABASE_URL_FLAG, EXIT_CODES, OUTPUT_FLAG, SERVER_EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

const NAME: Argument = { name: 'NAME', about: 'the login name' };
const GROUP = 'Users and tokens';
const PASSWORD_FLAGS = {
  generate: { about: 'generate a password, and print it' },
  stdin: { about: 'read the password from standard input' },
  ...DATA_DIR_FLAG,
  ...DATABASE_URL_FLAG,
} as const;
const SHARED_DETAILS =
  'With --database-url it is called where one of the servers on PostgreSQL has its data directory. The others get the change within seconds.';
const PASSWORD_DETAILS =
  'The password is asked for at the terminal. It is never given on the command line, which other users of the machine can see.';

export const userAddCommand = command({
  name: 'user add',
  group: GROUP,
  summary: 'add a user with a password, who can log in at once',
  details: [
    'Writes to the password file in the data directory, so it is called on the machine of the server, which may be running.',
    PASSWORD_DETAILS,
    SHARED_DETAILS,
    'With --url the user is also made known to the server. That is needed where only known users may log in; with --no-password it is all that is done, for users of LDAP.',
  ],
  arguments: [NAME],
  flags: {
    ...PASSWORD_FLAGS,
    'no-password': { about: 'leave the password file alone: another source of users has the password' },
    email: { value: 'ADDRESS', about: 'mail address of the user; needs --url' },
    ...SERVER_FLAGS,
    url: { ...SERVER_FLAGS.url, about: 'address of the server, to make the user known there' },
  },
  examples: [
    { command: 'user add alice', about: 'asks for the password' },
    { command: 'user add bob --generate', about: 'prints the password and nothing else to standard output', isSilent: true },
    { command: 'user add carol --no-password --url https://cd.example.org --user admin', about: 'a user of LDAP' },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/user-add.ts')).runUserAdd,
});

export const userPasswdCommand = command({
  name: 'user passwd',
  group: GROUP,
  summary: 'change the password of a user',
  details: [
    'Writes to the password file in the data directory, so it is called on the machine of the server, which may be running. The new password counts at once.',
    PASSWORD_DETAILS,
    SHARED_DETAILS,
  ],
  arguments: [NAME],
  flags: PASSWORD_FLAGS,
  examples: [{ command: 'user passwd alice', about: 'asks for the new password' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/user-add.ts')).runUserPasswd,
});

export const userDisableCommand = command({
  name: 'user disable',
  group: GROUP,
  summary: 'lock a user out, with all access tokens',
  arguments: [NAME],
  flags: SERVER_FLAGS,
  examples: [{ command: 'user disable alice', about: 'server and login come from the environment' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/user-switch.ts')).runUserDisable,
});

export const userEnableCommand = command({
  name: 'user enable',
  group: GROUP,
  summary: 'let a disabled user in again',
  arguments: [NAME],
  flags: SERVER_FLAGS,
  examples: [{ command: 'user enable alice', about: 'server and login come from the environment' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/user-switch.ts')).runUserEnable,
});

export const userListCommand = command({
  name: 'user list',
  group: GROUP,
  summary: 'list the users that a server knows',
  flags: { ...OUTPUT_FLAG, ...SERVER_FLAGS },
  examples: [{ command: 'user list', about: 'for administrators' }],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/users/lists.ts')).runUserList,
});
