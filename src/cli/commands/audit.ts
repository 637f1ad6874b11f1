// Declares the command that checks the events.
import { command } from '../terminal/command.ts';
import { DATA_DIR_FLAG, DATABASE_URL_FLAG } from '../terminal/flags.ts';

export const auditCommand = command({
  name: 'audit verify',
  group: 'Operation',
  summary: 'check that no event was changed, and the configuration matches',
  details: [
    'Reads the database of a server, whether it runs or not, and writes nothing. It checks that every event is as it was written, that none is missing or moved, that every change of the configuration has one, and that the configuration and the names of revisions are what the change log and the events say.',
  ],
  flags: {
    ...DATA_DIR_FLAG,
    ...DATABASE_URL_FLAG,
    database: { value: 'FILE', about: 'a database file instead, such as one unpacked from a backup' },
    expect: { value: 'NUMBER:HASH', about: 'an event noted elsewhere, which must still be there as it was' },
  },
  examples: [
    { command: 'audit verify --data-dir data', about: 'check a server' },
    { command: 'audit verify --database-url postgres://slipway@db.example.org/slipway', about: 'check servers on PostgreSQL' },
    { command: 'audit verify --database slipway.db', about: 'check the database of a backup' },
  ],
  exits: {
    0: 'all is well',
    1: 'an event or a row is not as it was written; it is named',
    2: 'wrong command line, or the database cannot be read',
  },
  wrongUse: 2,
  load: async () => (await import('../run/audit.ts')).runAudit,
});
