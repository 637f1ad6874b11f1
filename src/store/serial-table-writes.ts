// Changes that depend on the current rows: one after the other, so that each sees the results of those before it.
import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import { SINGLE_PROCESS, type WriteOrder } from './write-order.ts';
import type { CommitWithEvents, WriteWithEvents } from './write-with-events.ts';

/** A change of a table that is kept in memory, too. */
export interface TableChange {
  readonly writes: readonly WriteWithEvents[];
  /** Called once it is on disk: memory never holds a change that the disk does not. */
  remember(): void;
}

export interface DecidedWrite<T> {
  readonly result: T;
  /** All of them reach the disk, or none. */
  readonly changes: readonly TableChange[];
}

export interface DecideOptions {
  /** Decides and changes nothing. */
  readonly dryRun?: boolean;
}

/** A mutex for tables that belong together. Work that holds it must not ask for it again: it would wait for itself. */
export class SerialTableWrites {
  readonly #mutex = new KeyedMutex();
  readonly #write: CommitWithEvents;
  readonly #order: Pick<WriteOrder, 'serialized'>;

  constructor(write: CommitWithEvents, order: Pick<WriteOrder, 'serialized'> = SINGLE_PROCESS) {
    this.#write = write;
    this.#order = order;
  }

  /** For callers that read and write by themselves. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#order.serialized(() => this.#mutex.run('', work));
  }

  /** Returns the result of the decision once its changes are on disk, and in memory. */
  change<T>(decide: () => DecidedWrite<T>, { dryRun = false }: DecideOptions = {}): Promise<T> {
    return this.run(async () => {
      const { result, changes } = decide();
      if (!dryRun) await this.#carryOut(changes);
      return result;
    });
  }

  async #carryOut(changes: readonly TableChange[]): Promise<void> {
    const writes = changes.flatMap((change) => change.writes);
    if (writes.length > 0) await this.#write(writes);
    for (const change of changes) change.remember();
  }
}
