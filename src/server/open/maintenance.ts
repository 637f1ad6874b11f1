// Joins maintenance mode to the server: where it is kept, and the events and mails about it.

import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { AdminMails } from '../../mail/admin-mails.ts';
import { maintenanceEndedMail } from '../../mail/admin-texts.ts';
import { MaintenanceMode } from '../../maintenance/mode.ts';
import { StoredPeriod } from '../../maintenance/stored-period.ts';
import type { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';
import type { Publish } from './event-log.ts';

interface Parts {
  readonly database: Database;
  readonly cachedTables: CachedTables;
  readonly runner: PeriodicRunner;
  readonly mails: Pick<AdminMails, 'send'>;
  readonly publish: Pick<Publish, 'maintenanceSwitched'>;
  readonly log: Log;
  /** The address of this server, for the mails. */
  readonly ip: () => string;
  readonly startsOn: boolean;
}

export async function openMaintenance({
  database,
  cachedTables,
  runner,
  mails,
  publish,
  log,
  ip,
  startsOn,
}: Parts): Promise<MaintenanceMode> {
  const mode = await MaintenanceMode.load(
    {
      stored: new StoredPeriod(database),
      runner,
      onSwitched: publish.maintenanceSwitched,
      onEnded: (period) => {
        log.info({ maintenance: period }, 'maintenance mode has ended by itself');
        return mails.send(maintenanceEndedMail({ ip: ip(), ...period }));
      },
      onFailure: (failure) => log.error({ err: failure }, 'the administrator could not be notified that maintenance mode has ended'),
    },
    { startsOn },
  );
  cachedTables.add('maintenance', () => mode.reload());
  return mode;
}
