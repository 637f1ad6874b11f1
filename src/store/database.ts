// What the server needs of a database; the embedded one and PostgreSQL each provide it.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface Database {
  readonly query: Kysely<Tables>;
  /** Runs all statements or none, and returns when they are on disk. */
  writeAtOnce(statements: readonly CompiledQuery[]): Promise<void>;
  /**
   * The same without the wait for the disk: it outlasts the process however that ends, but the last ones may be missing after
   * a power cut. For notes of what can be done again.
   */
  noteAtOnce(statements: readonly CompiledQuery[]): Promise<void>;
  /**
   * Until it is released, no commit moves the write-ahead log into the file: who copies the files does that afterwards, because
   * a commit would have to wait for all that has come together.
   */
  holdLog(): { release(): void };
  /** Moves it now, without anybody waiting for it. */
  moveLog(): Promise<void>;
  close(): Promise<void>;
}
