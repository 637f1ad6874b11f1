// Materials as of their last poll: one row for each fingerprint that was ever polled.
import { randomUUID } from 'node:crypto';
import { type CompiledQuery, type Selectable, sql } from 'kysely';
import { SerialQueue } from '../../kit/concurrency/serial-queue.ts';
import type { Database } from '../database.ts';
import type { MaterialRow } from '../rows/materials.ts';
import { storableText } from './storable-text.ts';

export interface NewMaterial {
  readonly fingerprint: string;
  readonly type: string;
  /** For people, without secrets. */
  readonly description: string;
}

export interface StoredMaterial extends NewMaterial {
  readonly id: number;
  /** The name of the directory that belongs to it alone. */
  readonly directory: string;
  readonly data: string | undefined;
  /** The revision that the next poll starts from. */
  readonly lastRevision: string | undefined;
  readonly modificationCount: number;
  readonly pollCount: number;
  readonly polledAt: Date | undefined;
  /** In a row. */
  readonly failures: number;
  readonly failedAt: Date | undefined;
  readonly failedBeforeAt: Date | undefined;
  readonly failure: string | undefined;
}

/** How a poll of a material ended. */
export interface PollNote {
  readonly at: Date;
  /** In words without secrets; absent: it did not fail. */
  readonly failure?: string;
}

/** Of one material, while nothing can be written. */
const MAX_NOTES = 100;

export class Materials {
  readonly #database: Database;
  /** Results of polls that are not on disk yet, by the id of the material. */
  readonly #notes = new Map<number, PollNote[]>();
  readonly #writes = new SerialQueue();

  constructor(database: Database) {
    this.#database = database;
  }

  async all(): Promise<StoredMaterial[]> {
    return (await this.#database.query.selectFrom('materials').selectAll().orderBy('id').execute()).map(fromRow);
  }

  async find(fingerprint: string): Promise<StoredMaterial | undefined> {
    const row = await this.#database.query.selectFrom('materials').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst();
    return row && fromRow(row);
  }

  /** The row of a material, which is made when there is none. */
  async ensure({ fingerprint, type, description }: NewMaterial): Promise<StoredMaterial> {
    const found = await this.find(fingerprint);
    if (found?.description === description && found.type === type) return found;
    const row = await this.#database.query
      .insertInto('materials')
      .values({ fingerprint, type, description, directory: randomUUID(), modification_count: 0, poll_count: 0, failures: 0 })
      .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ type, description }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return fromRow(row);
  }

  async keepData(id: number, data: string): Promise<void> {
    await this.#database.query
      .updateTable('materials')
      .set({ data: storableText(data) })
      .where('id', '=', id)
      .execute();
  }

  /** Notes how a poll ended, in memory: the poll does not wait for the disk. See `writePolls`. */
  polled(id: number, note: PollNote): void {
    const notes = this.#notes.getOrInsertComputed(id, () => []);
    if (notes.push(note) > MAX_NOTES) notes.shift();
  }

  /** To be called now and then, and at the end: returns when all that was noted before is on disk. */
  writePolls(): Promise<void> {
    return this.#writes.run(() => this.#writeNotes());
  }

  /** Notes that could not be written are of no use any more: other servers have polled since. */
  forgetPolls(): void {
    this.#notes.clear();
  }

  async #writeNotes(): Promise<void> {
    const notes = [...this.#notes];
    if (notes.length === 0) return;
    this.#notes.clear();
    try {
      await this.#database.writeRelaxed(notes.flatMap(([id, ofOne]) => ofOne.map((note) => this.#noteStatement(id, note))));
    } catch (failure) {
      for (const [id, ofOne] of notes) this.#notes.set(id, [...ofOne, ...(this.#notes.get(id) ?? [])]);
      throw failure;
    }
  }

  #noteStatement(id: number, { at, failure }: PollNote): CompiledQuery {
    const time = at.toISOString();
    const poll_count = sql<number>`poll_count + 1`;
    const change =
      failure === undefined
        ? { poll_count, polled_at: time, failures: 0, failed_at: null, failed_before_at: null, failure: null }
        : {
            poll_count,
            failures: sql<number>`failures + 1`,
            failed_before_at: sql<string>`failed_at`,
            failed_at: time,
            failure: storableText(failure),
          };
    return this.#database.query.updateTable('materials').set(change).where('id', '=', id).compile();
  }
}

function fromRow(row: Selectable<MaterialRow>): StoredMaterial {
  const date = (text: string | null) => (text === null ? undefined : new Date(text));
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    type: row.type,
    description: row.description,
    directory: row.directory,
    data: row.data ?? undefined,
    lastRevision: row.last_revision ?? undefined,
    modificationCount: row.modification_count,
    pollCount: row.poll_count,
    polledAt: date(row.polled_at),
    failures: row.failures,
    failedAt: date(row.failed_at),
    failedBeforeAt: date(row.failed_before_at),
    failure: row.failure ?? undefined,
  };
}
