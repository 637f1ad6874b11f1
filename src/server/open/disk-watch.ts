// Joins the watch over the disks to the server: which folders it looks at, and when.
import { resolve } from 'node:path';
import type { Config } from '../../config/current.ts';
import { DISK_CHECK_MS, DiskWatch, type DiskWatchParts } from '../../disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic.ts';

interface Parts extends Pick<DiskWatchParts, 'limits' | 'health' | 'mails' | 'ip'> {
  readonly dataDir: string;
  readonly config: Config;
  readonly runner: PeriodicRunner;
}

export function openDiskWatch({ dataDir, config, runner, ...parts }: Parts): DiskWatch {
  const disk = new DiskWatch({
    ...parts,
    folders: {
      artifacts: () => resolve(dataDir, String(config.of('artifactsConfig').find('')?.value.artifactsDir ?? 'artifacts')),
      database: () => dataDir,
    },
  });
  runner.add({ name: 'free disk space', when: { every: DISK_CHECK_MS, firstAfter: 0 }, runsWhilePaused: true, run: () => disk.check() });
  return disk;
}
