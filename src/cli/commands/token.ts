// Declares the command that creates an access token.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, JSON_FLAG, SERVER_FLAGS } from '../terminal/flags.ts';

/** A token cannot log in here, and so no context. */
const { token: _, context: __, ...PASSWORD_LOGIN } = SERVER_FLAGS;

export const tokenCreateCommand = command({
  name: 'token create',
  group: 'Users and tokens',
  summary: 'create an access token for yourself, and print it',
  details: [
    'Programs send it as `Authorization: bearer TOKEN`. The server shows it only this once.',
    'Needs a user name and a password: a token cannot create another one.',
  ],
  flags: {
    description: { value: 'TEXT', about: 'what the token is for, shown in the list of tokens' },
    ...JSON_FLAG,
    ...PASSWORD_LOGIN,
    user: { ...PASSWORD_LOGIN.user, about: 'login name' },
  },
  examples: [
    {
      words: 'token create --url https://cd.example.org --user alice --description "nightly script"',
      about: 'prints the token and nothing else',
      isSilent: true,
    },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/token-create.ts')).runTokenCreate,
});
