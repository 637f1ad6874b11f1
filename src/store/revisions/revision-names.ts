// The names that people have given to revisions.
import { sql } from 'kysely';
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import type { Database } from '../database.ts';
import type { RevisionNameRow } from '../rows/configuration.ts';
import { type CommitWithEvents, type NewEvent, withoutEvents } from '../write-with-events.ts';

export class RevisionNames {
  readonly #database: Database;
  readonly #write: CommitWithEvents;
  readonly #mutex = new KeyedMutex();

  /** `write` puts names on disk together with the events that report them. */
  constructor(database: Database, write: CommitWithEvents = withoutEvents(database)) {
    this.#database = database;
    this.#write = write;
  }

  /** For callers that read the name of a revision before they change it. */
  serialized<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.serialized(() => this.#mutex.run('', work));
  }

  async has(revision: number): Promise<boolean> {
    const { query } = this.#database;
    return (await query.selectFrom('revision_names').select('revision').where('revision', '=', revision).executeTakeFirst()) !== undefined;
  }

  /** The revisions that have a name, oldest first. */
  async all(): Promise<number[]> {
    const rows = await this.#database.query.selectFrom('revision_names').select('revision').orderBy('revision').execute();
    return rows.map(({ revision }) => revision);
  }

  put(row: Readonly<RevisionNameRow>, ...events: readonly NewEvent[]): Promise<void> {
    const { query } = this.#database;
    const statement = query
      .insertInto('revision_names')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('revision')
          .doUpdateSet({ name: sql`excluded.name`, named_by: sql`excluded.named_by`, named_at: sql`excluded.named_at` }),
      );
    return this.#write([{ events, statements: [statement.compile()] }]);
  }

  /** Compaction looks again at the values that the name has kept. */
  remove(revision: number, ...events: readonly NewEvent[]): Promise<void> {
    const { query } = this.#database;
    const statements = [
      query.deleteFrom('revision_names').where('revision', '=', revision).compile(),
      query.updateTable('compaction').set({ done_to: 0 }).where('kept_from', '>', revision).compile(),
    ];
    return this.#write([{ events, statements }]);
  }
}
