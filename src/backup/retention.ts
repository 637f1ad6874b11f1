// Which folders of backups may go: a pure decision, and the removal.
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isBackupName } from './folder-name.ts';
import type { BackupRecord } from './record.ts';

/** The backups that are kept; with both numbers, those that either keeps. Neither: all. */
export interface RetentionRule {
  readonly keepLast: number | null;
  readonly keepDays: number | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * `records` have a folder, the newest first. The newest backup that succeeded stays at any age. Failed backups do not
 * count, and go with those beside them.
 */
export function decideRemovals(records: readonly BackupRecord[], { keepLast, keepDays }: RetentionRule, now: Date): BackupRecord[] {
  if (keepLast === null && keepDays === null) return [];
  const since = keepDays === null ? undefined : now.getTime() - keepDays * DAY_MS;
  let newer = 0;
  return records.filter(({ status, time, copy }) => {
    const isAmongLast = newer < Math.max(keepLast ?? 1, 1);
    if (status === 'COMPLETED') newer++;
    const isYoung = since !== undefined && Date.parse(time) >= since;
    const isOnItsWay = copy?.status === 'running' || copy?.status === 'waiting';
    return !isAmongLast && !isYoung && !isOnItsWay;
  });
}

/** Removes a folder only where and only if it is named as we name them. */
export async function removeFolder({ path }: BackupRecord, backupsDir: string): Promise<void> {
  if (dirname(path) === backupsDir && isBackupName(basename(path))) await rm(path, { recursive: true, force: true });
}
