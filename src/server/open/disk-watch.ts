// Joins the watch over the disks to the server: which folders it looks at, and when.
import type { DiskUse } from '../../health/disk/level.ts';
import { DISK_CHECK_MS, DiskWatch, type DiskWatchParts } from '../../health/disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { AdminMails } from '../../mail/admin-mails.ts';
import { diskFullMail, diskLowMail } from '../../mail/admin-texts.ts';
import type { Database } from '../../store/database.ts';

interface Parts extends Pick<DiskWatchParts, 'limits' | 'health'> {
  readonly database: Pick<Database, 'shared'>;
  readonly dataDir: string;
  readonly artifactsDir: string;
  readonly runner: PeriodicRunner;
  readonly mails: Pick<AdminMails, 'sendOnce' | 'resolve'>;
  /** The address of this server, for the mails. */
  readonly ip: () => string;
}

export function openDiskWatch({ database, dataDir, artifactsDir, runner, mails, ip, limits, health }: Parts): DiskWatch {
  const disk = new DiskWatch({
    limits,
    health,
    shared: database.shared,
    notices: {
      notify: (level, facts) => {
        const mail = level === 'full' ? diskFullMail : diskLowMail;
        return mails.sendOnce(condition(level, facts.use), mail({ ...facts, ip: ip() }));
      },
      resolve: (level, use) => mails.resolve(condition(level, use)),
    },
    folders: {
      artifacts: () => artifactsDir,
      database: () => dataDir,
    },
  });
  runner.add({
    name: 'free disk space',
    when: { every: DISK_CHECK_MS, firstAfter: 0 },
    where: 'everywhere',
    runsWhilePaused: true,
    run: () => disk.check(),
  });
  return disk;
}

/** The name under which the database keeps that administrators know of it. */
function condition(level: 'low' | 'full', use: DiskUse): string {
  return `${level} ${use} disk`;
}
