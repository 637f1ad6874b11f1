// Declares the command that imports a configuration file.
import { command } from '../terminal/command.ts';
import { DATABASE_URL_FLAG, EXIT_CODES, TARGET_FLAGS } from '../terminal/flags.ts';

export const importCommand = command({
  name: 'import',
  group: 'Configuration',
  summary: 'import a configuration file (cruise-config.xml), all or nothing',
  details: [
    'Reads schema versions 100 to 139. What the file contains is created or changed; everything else stays as it is.',
    'Works on the data directory of a stopped server, or with --url through one that runs. With --database-url it works on PostgreSQL, while no server uses that database; the key is cipher.key in the data directory, or the file that SLIPWAY_CIPHER_KEY_FILE names.',
  ],
  arguments: [{ name: 'FILE', about: 'the configuration file' }],
  flags: {
    plan: { about: 'show what would be done, and do nothing' },
    'cipher-key': {
      value: 'FILE',
      about: 'key file of the server that wrote the file (cipher.aes, or cipher.key of a Slipway), to decrypt its secrets',
    },
    ...TARGET_FLAGS,
    ...DATABASE_URL_FLAG,
  },
  examples: [
    { command: 'import cruise-config.xml --cipher-key cipher.aes --plan', about: 'see what would happen' },
    { command: 'import cruise-config.xml --cipher-key cipher.aes', about: 'do it, while the server is stopped' },
  ],
  exits: { ...EXIT_CODES, 1: 'refused or failed, and nothing was changed' },
  wrongUse: 2,
  load: async () => (await import('../run/import/import.ts')).runImport,
});
