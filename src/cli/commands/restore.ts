// Declares the command that restores a backup.
import { command } from '../terminal/command.ts';
import { DATA_DIR_FLAG, DATABASE_URL_FLAG, EXIT_CODES } from '../terminal/flags.ts';

export const restoreCommand = command({
  name: 'restore',
  group: 'Operation',
  summary: 'restore a backup into a data directory, all of it or nothing',
  details: [
    'The backup is checked against its checksums first. The data directory must be new or empty, and no server may run in it.',
    'The next start of the server migrates a backup of an older version.',
    'With --database-url the data goes into an empty PostgreSQL database, and the other files into the data directory.',
  ],
  arguments: [{ name: 'FOLDER', about: 'the folder of the backup (backup_<date>-<time>)' }],
  flags: {
    plan: { about: 'check the backup and the directory, say what would be done, and do nothing' },
    replace: { about: 'move existing files aside first; artifacts stay where they are' },
    ...DATABASE_URL_FLAG,
    ...DATA_DIR_FLAG,
  },
  examples: [
    { command: 'restore backup_20260131-023000 --data-dir data --plan', about: 'check it first' },
    { command: 'restore backup_20260131-023000 --data-dir data', about: 'restore it' },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/restore.ts')).runRestore,
});
