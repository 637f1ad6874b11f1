// What the server needs of a database; the embedded one and PostgreSQL each provide it.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface Database {
  readonly query: Kysely<Tables>;
  /** Runs all statements or none, and returns when they are on disk. */
  writeAtOnce(statements: readonly CompiledQuery[]): Promise<void>;
  close(): Promise<void>;
}
