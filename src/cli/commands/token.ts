// Declares the commands about access tokens.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, JSON_FLAG, OUTPUT_FLAG, SERVER_EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

/** A token cannot log in here, and so no context. */
const { token: _, context: __, ...PASSWORD_LOGIN } = SERVER_FLAGS;

export const tokenCreateCommand = command({
  name: 'token create',
  group: 'Users and tokens',
  summary: 'create an access token for yourself, and print it',
  details: [
    'Programs send it as `Authorization: bearer TOKEN`. The server shows it only this once.',
    'Without limits it has all rights of its user, from everywhere, until it is revoked. Limit what a program gets to what it needs.',
    'Needs a user name and a password: a token cannot create another one.',
  ],
  flags: {
    description: { value: 'TEXT', about: 'what the token is for, shown in the list of tokens' },
    'expires-at': { value: 'TIME', about: 'when it ends, such as 2027-01-31 or 2027-01-31T02:30:00Z', absent: 'never' },
    scope: {
      value: 'RESOURCE:ACTION:PATTERN',
      about: 'limits it to this, such as pipelines:operate:build-*; give it several times for more',
      isRepeated: true,
      absent: 'all rights of its user',
    },
    'allowed-address': {
      value: 'ADDRESS',
      about: 'an address or network from which it can be used, such as 10.0.0.0/8; give it several times for more',
      isRepeated: true,
      absent: 'from everywhere',
    },
    ...JSON_FLAG,
    ...PASSWORD_LOGIN,
    user: { ...PASSWORD_LOGIN.user, about: 'login name' },
  },
  examples: [
    {
      command: 'token create --url https://cd.example.org --user alice --description "nightly script"',
      about: 'prints the token and nothing else',
      isSilent: true,
    },
    {
      command:
        'token create --user alice --expires-at 2027-01-31 --scope "pipelines:operate:build-*" --scope "agents:view:*" --allowed-address 10.0.0.0/8',
      about: 'for a program that runs some pipelines, from one network, until a day',
      isSilent: true,
    },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/token-create.ts')).runTokenCreate,
});

const BY_PASSWORD = 'Needs a user name and a password: give --user, which asks for the password.';

export const tokenListCommand = command({
  name: 'token list',
  group: 'Users and tokens',
  summary: 'list your access tokens, or those of all users',
  details: [BY_PASSWORD],
  flags: { all: { about: 'of all users; for administrators' }, ...OUTPUT_FLAG, ...SERVER_FLAGS },
  examples: [{ command: 'token list --user alice', about: 'asks for the password' }],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/users/lists.ts')).runTokenList,
});

export const tokenRevokeCommand = command({
  name: 'token revoke',
  group: 'Users and tokens',
  summary: 'revoke an access token for good',
  details: [BY_PASSWORD],
  arguments: [{ name: 'ID', about: 'its number, as token list shows it' }],
  flags: { reason: { value: 'TEXT', about: 'why it is revoked' }, ...SERVER_FLAGS },
  examples: [{ command: 'token revoke 12 --user alice --reason "the laptop is lost"', about: 'asks for the password' }],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/users/lists.ts')).runTokenRevoke,
});

export const tokenRotateCommand = command({
  name: 'token rotate',
  group: 'Users and tokens',
  summary: 'replace an access token by a new one, and print that',
  details: [
    'The new token has the same limits. The old one stays valid for a while, so that programs can be changed without a gap.',
    BY_PASSWORD,
  ],
  arguments: [{ name: 'ID', about: 'its number, as token list shows it' }],
  flags: { overlap: { value: 'MINUTES', about: 'how long the old one stays valid', absent: '60' }, ...JSON_FLAG, ...SERVER_FLAGS },
  examples: [{ command: 'token rotate 12 --user alice --overlap 10', about: 'prints the token and nothing else', isSilent: true }],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/users/lists.ts')).runTokenRotate,
});
