// Whether the disk of PostgreSQL has room: a statement that finds none reports it, and from then on it is asked until there is some.
import type { Connection } from './connection.ts';
import { codeOf, FULL_DISK } from './refusals.ts';

/**
 * Takes 1 MB of the disk on which the tables are, and gives it back. A write of ours would show less: a small one finds room in pages
 * that are there already.
 */
const TAKE_ROOM = "create temporary table slipway_room as select repeat('x', 1000) as filler from generate_series(1, 1000)";

export class DiskRoom {
  readonly #onChange: (isFull: boolean) => void;
  #isFull = false;

  constructor(onChange: (isFull: boolean) => void) {
    this.#onChange = onChange;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** A statement has failed. */
  noteFailure(failure: unknown): void {
    if (codeOf(failure) === FULL_DISK) this.#note(true);
  }

  /** If it was full, looks whether it still is. While the database cannot be reached, it counts as full. */
  async look(use: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>): Promise<void> {
    if (!this.#isFull) return;
    try {
      await use(takeRoom);
      this.#note(false);
    } catch (failure) {
      if (isAnswer(failure)) this.#note(codeOf(failure) === FULL_DISK);
    }
  }

  #note(isFull: boolean): void {
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onChange(isFull);
  }
}

async function takeRoom(connection: Connection): Promise<void> {
  await connection.runOnce('begin');
  try {
    await connection.runOnce(TAKE_ROOM);
  } finally {
    await connection.runOnce('rollback');
  }
}

/** Whether the database has said so, and not the lack of a connection to it. */
function isAnswer(failure: unknown): boolean {
  return failure instanceof Error && 'severity' in failure;
}
