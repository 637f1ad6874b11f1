// Volumes that Kubernetes mounts for a pod: they belong to root, and are ours by their group (fsGroup).
import { lstatSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

const SET_GROUP = 0o2000;

type FileStats = Pick<Stats, 'uid' | 'gid' | 'mode' | 'dev'>;

/** Its modes cannot be changed, and need not be: only those see it for whom it was mounted. */
export function isMountedVolume(path: string): boolean {
  const groups = [process.getegid?.() ?? -1, ...(process.getgroups?.() ?? [])];
  return isVolume(lstatSync(path), lstatSync(dirname(resolve(path))).dev, groups);
}

export function isVolume({ uid, gid, mode, dev }: FileStats, parentDev: number, groups: readonly number[]): boolean {
  return uid === 0 && dev !== parentDev && (mode & SET_GROUP) !== 0 && groups.includes(gid);
}
