// Whose artifacts go first when the disk runs low, whose never, and when there is room enough.
import type { StageRun } from './stage-run.ts';

/** Gigabytes of free space: deleting starts below the first and ends above the second. */
export interface PurgeSettings {
  readonly start: number | null;
  readonly upto: number | null;
}

const GIGABYTE = 1024 ** 3;

/** Fractions of a gigabyte do not count, as in the dialect. */
export function isToStart({ start, upto }: PurgeSettings, freeBytes: number): boolean {
  return start !== null && upto !== null && freeBytes < Math.trunc(start) * GIGABYTE;
}

export function hasRoomEnough({ upto }: PurgeSettings, freeBytes: number): boolean {
  return upto === null || freeBytes > Math.trunc(upto) * GIGABYTE;
}

/** The oldest first; never what is under way, what is to be kept, or what is gone already. */
export function purgeOrder<R extends StageRun>(runs: readonly R[]): R[] {
  return runs.filter(mayBePurged).toSorted((one, other) => one.id - other.id);
}

export function mayBePurged({ isCompleted, areArtifactsDeleted, keepsArtifacts }: StageRun): boolean {
  return isCompleted && !areArtifactsDeleted && !keepsArtifacts;
}
