// Declares the command that moves an embedded installation to PostgreSQL.
import { command } from '../terminal/command.ts';
import { DATA_DIR_FLAG, DATABASE_URL_FLAG, EXIT_CODES } from '../terminal/flags.ts';

export const moveCommand = command({
  name: 'move',
  group: 'Operation',
  summary: 'move an embedded database to PostgreSQL, all of it or nothing',
  details: [
    'No server may run in the data directory. The PostgreSQL database must be empty, with encoding UTF8 and locale C. Everything is copied in one transaction and compared before it is committed. Cut off, it has changed nothing, and can be run again.',
    'Keys, password files, history and artifacts stay in the data directory, which is marked: a server starts there only with the PostgreSQL database.',
  ],
  flags: {
    'dry-run': { about: 'check the data directory and the PostgreSQL database, and change nothing' },
    ...DATABASE_URL_FLAG,
    ...DATA_DIR_FLAG,
  },
  examples: [
    { command: 'move --data-dir data --database-url postgres://slipway@db.example.org/slipway --dry-run', about: 'check first' },
    {
      command: 'move --data-dir data --database-url postgres://slipway@db.example.org/slipway',
      about: 'do it, while the server is stopped',
    },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/move.ts')).runMove,
});
