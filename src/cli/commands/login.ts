// Declares the commands that log in and out, and choose among servers.
import { COMMAND_VARIABLES } from '../../server/settings.ts';
import { type Argument, command } from '../terminal/command.ts';
import { EXIT_CODES, OUTPUT_FLAG, SERVER_EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

const GROUP = 'Servers';
const NAME: Argument = { name: 'NAME', about: 'the name of a context', offers: 'context' };
const { user, password, 'ca-file': caFile } = SERVER_FLAGS;
const KEPT = 'Contexts are kept in slipway/contexts.json below XDG_CONFIG_HOME (~/.config), which only you can read.';

export const loginCommand = command({
  name: 'login',
  group: GROUP,
  summary: 'log in to a server, and keep the login as a context',
  details: [
    'Asks for the user and the password, creates an access token on the server, and keeps the token, not the password. The context becomes the current one: other commands then need no options to find the server.',
    'Without URL it logs in again where the context, or the current one, belongs.',
    KEPT,
  ],
  arguments: [{ name: 'URL', about: 'the address of the server', isOptional: true }],
  flags: {
    context: { value: 'NAME', about: 'what to call the context', absent: 'the host of the server', offers: 'context' },
    user: { ...user, about: 'login name' },
    password,
    token: { value: 'TOKEN', about: 'keep this access token instead; prefer --token-stdin' },
    'token-stdin': { about: 'read an access token from standard input, and keep that' },
    'ca-file': { ...caFile, about: 'authority (PEM) that signed the certificate of the server; kept with the context' },
  },
  examples: [
    { command: 'login https://cd.example.org', about: 'asks for user and password' },
    {
      command: 'login https://cd.example.org --context prod --token-stdin < token.txt',
      about: 'with an access token that you have already',
    },
  ],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/login/login.ts')).runLogin,
});

export const logoutCommand = command({
  name: 'logout',
  group: GROUP,
  summary: 'revoke the access token of a context, and forget it',
  details: ['A token that login did not create is forgotten, and stays valid.'],
  flags: {
    context: { value: 'NAME', about: 'which one', absent: 'the current one', offers: 'context' },
    force: { about: 'forget it although the token cannot be revoked' },
  },
  examples: [{ command: 'logout', about: 'of the current context' }],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/login/logout.ts')).runLogout,
});

export const contextListCommand = command({
  name: 'context list',
  group: GROUP,
  summary: 'list the servers you are logged in to',
  details: [
    KEPT,
    `A command works on the server that --context or --url names, then ${COMMAND_VARIABLES.context} or ${COMMAND_VARIABLES.url}, then the current context.`,
  ],
  flags: OUTPUT_FLAG,
  examples: [{ command: 'context list', about: 'the current one has a star' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/login/contexts.ts')).runContextList,
});

export const contextUseCommand = command({
  name: 'context use',
  group: GROUP,
  summary: 'make a context the current one',
  arguments: [NAME],
  flags: {},
  examples: [{ command: 'context use prod', about: 'for all commands from now on' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/login/contexts.ts')).runContextUse,
});

export const contextCurrentCommand = command({
  name: 'context current',
  group: GROUP,
  summary: 'print the name of the current context',
  flags: {},
  examples: [{ command: 'context current', about: 'for a prompt or a script', isSilent: true }],
  exits: { ...EXIT_CODES, 3: 'none is current' },
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/login/contexts.ts')).runContextCurrent,
});

export const contextRenameCommand = command({
  name: 'context rename',
  group: GROUP,
  summary: 'give a context another name',
  arguments: [NAME, { name: 'NEW', about: 'its new name' }],
  flags: {},
  examples: [{ command: 'context rename cd.example.org prod', about: 'a shorter one' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/login/contexts.ts')).runContextRename,
});

export const contextDeleteCommand = command({
  name: 'context delete',
  group: GROUP,
  summary: 'forget a context, and leave its token valid',
  arguments: [NAME],
  flags: {},
  examples: [{ command: 'context delete old', about: 'of a server that is gone; otherwise prefer logout' }],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/login/contexts.ts')).runContextDelete,
});
