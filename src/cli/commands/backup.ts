// Declares the command that makes a backup.
import { command } from '../terminal/command.ts';
import { JSON_FLAG, SERVER_FLAGS } from '../terminal/flags.ts';

export const backupCommand = command({
  name: 'backup',
  group: 'Operation',
  summary: 'make a backup of a running server, and wait until it is complete',
  details: ['The backup goes on when this command is interrupted. It is kept on the machine of the server.'],
  flags: {
    'no-wait': { about: 'end as soon as the backup has begun' },
    ...JSON_FLAG,
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'backup --url https://cd.example.org --user admin', about: 'make one' },
    { command: 'backup --json', about: 'in a script; server and login come from the environment', isSilent: true },
  ],
  exits: { 0: 'the backup is complete; with --no-wait: it has begun', 1: 'refused, or the backup failed', 2: 'wrong command line' },
  wrongUse: 2,
  load: async () => (await import('../run/backup.ts')).runBackup,
});
