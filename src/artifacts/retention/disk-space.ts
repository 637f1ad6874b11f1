// When the disk of the artifacts has so little room that old ones go, and when there is enough again.

/** Gigabytes of free space: deleting starts below the first and ends above the second. */
export interface SpaceSettings {
  readonly start: number | null;
  readonly upto: number | null;
}

const GIGABYTE = 1024 ** 3;

/** Only with both. */
export function isSet({ start, upto }: SpaceSettings): boolean {
  return start !== null && upto !== null;
}

/** Fractions of a gigabyte do not count, as in GoCD. Where there is no disk, nothing is known of one (`undefined`). */
export function isToStart(settings: SpaceSettings, freeBytes: number | undefined): boolean {
  return isSet(settings) && freeBytes !== undefined && freeBytes < bytesOf(settings.start);
}

export function hasRoomEnough(settings: SpaceSettings, freeBytes: number | undefined): boolean {
  return !isSet(settings) || freeBytes === undefined || freeBytes > bytesOf(settings.upto);
}

export function reasonOfSpace({ start }: SpaceSettings): string {
  return `Less than ${Math.trunc(start ?? 0)} GB of disk space were free.`;
}

export function bytesOf(gigabytes: number | null): number {
  return Math.trunc(gigabytes ?? 0) * GIGABYTE;
}
