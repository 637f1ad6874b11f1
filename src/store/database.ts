// What the rest of the server asks of its database. `sqlite/open.ts` provides it.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface Database {
  /** For reading, and for writing single statements. It has no transactions: what belongs together is written by `writeTransaction`. */
  readonly query: Kysely<Tables>;
  /** Runs all statements or none, and returns when they are on disk. */
  writeTransaction(statements: readonly CompiledQuery[]): Promise<void>;
  /**
   * The same without the wait for the disk: it outlasts the process however that ends, but the last ones may be missing after
   * a power cut. For notes of what can be done again.
   */
  writeRelaxed(statements: readonly CompiledQuery[]): Promise<void>;
  /** Runs work that may do anything, in transactions of its own. Only for the start, before anybody else uses the database. */
  changeSchema(work: (query: Kysely<Tables>) => Promise<void>): Promise<void>;
  /**
   * Until it is released, what is committed stays in the log: who copies the files moves it into them afterwards, because commits
   * would have to wait for all that has come together.
   */
  holdLog(): { release(): void };
  close(): Promise<void>;
}
