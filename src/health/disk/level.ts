// How much room a disk has left, in the three degrees that matter.
export type DiskUse = 'artifacts' | 'database';

export type Level = 'fine' | 'low' | 'full';

export interface Limits {
  readonly warningMb: number;
  readonly fullMb: number;
}

/** The state of a disk, for administrators. */
export interface DiskFacts extends Limits {
  readonly use: DiskUse;
  readonly folder: string;
}

const MEGABYTE = 1024 * 1024;

/** A folder that does not exist yet, of which nothing is known, is fine. */
export function levelOf(freeBytes: number | undefined, { warningMb, fullMb }: Limits): Level {
  if (freeBytes === undefined) return 'fine';
  if (freeBytes < fullMb * MEGABYTE) return 'full';
  return freeBytes < warningMb * MEGABYTE ? 'low' : 'fine';
}

/** The message for administrators when there is little room or none; the words are those of GoCD. */
export function messageOf(use: DiskUse, level: 'low' | 'full', { warningMb, fullMb }: Limits): { title: string; detail: string } {
  if (level === 'low') {
    return {
      title:
        use === 'artifacts'
          ? "Slipway Server's artifact repository is running low on disk space"
          : "Slipway Server's database is running on low disk space",
      detail: `Slipway has less than ${warningMb}MB of disk space available to it.`,
    };
  }
  return {
    title: `Slipway Server has run out of ${use} disk space. Scheduling has been stopped`,
    detail: `Slipway has less than ${fullMb}MB of disk space available. Scheduling has stopped, and will resume once more than ${fullMb}MB is available.`,
  };
}

/** The message for administrators when the disk of a database on another machine is full. How much is free there is not known. */
export const DATABASE_DISK_FULL = {
  title: 'Slipway Server has run out of database disk space. Scheduling has been stopped',
  detail:
    'The disk of the database server is full. Make room there: changes and scheduling have stopped, and will resume within seconds after there is some.',
};

/** The health message for administrators when the free space is unknown. */
export function unwatched(use: DiskUse, folder: string, failure: unknown): { title: string; detail: string } {
  const reason = (failure as NodeJS.ErrnoException).code ?? String(failure);
  return {
    title: `The disk space for ${use} cannot be watched`,
    detail: `The folder ${JSON.stringify(folder)} cannot be checked (${reason}). Until it can, nothing is refused for lack of space there.`,
  };
}

/** The refusal of a write for which the disk has no space. */
export function refusalOf(use: DiskUse, { fullMb }: Limits): string {
  return `The server has less than ${fullMb}MB of disk space left for its ${use}, so it refuses everything that needs space. Reading and deleting still work. Try again when there is more space.`;
}

/** The refusal while the disk of a database on another machine is full. */
export const DATABASE_DISK_REFUSAL =
  'The disk of the database is full, so the server refuses everything that needs space. Reading still works. Try again when there is more space.';
