// Commits transactions on the one connection that writes: those that have come together share a commit, and so one wait for the disk.
import { DatabaseSync } from 'node:sqlite';
import { deserialize } from 'node:v8';
import { preparedStatements } from './prepared-statements.ts';
import type { FromWriter, Statement, StatementResult, Transaction, WriteFailure } from './writer-messages.ts';

/** Moving the log into the file takes long in a large one: it is done less often than once in a hundred writes. */
const MAX_PAGES_IN_LOG = 4000;
/** How long a commit waits for a lock of another connection. */
const BUSY_MS = 5000;

export class GroupCommit {
  readonly #connection: DatabaseSync;
  readonly #prepare;
  #isDurable = true;
  /** Whether the log could not be looked at, and that is reported. */
  #isReported = false;

  constructor(path: string) {
    // From its first statement on it waits for locks: another connection may be restoring the log of a server that was killed.
    this.#connection = new DatabaseSync(path, { timeout: BUSY_MS });
    this.#connection.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0');
    this.#prepare = preparedStatements(this.#connection);
  }

  /** A transaction that fails takes none of the others along: then each is committed alone. */
  commit(group: readonly Transaction[]): FromWriter[] {
    try {
      const results = this.#commit(group);
      return group.map(({ id }, index) => ({ id, results: results[index]! }));
    } catch (failure) {
      if (group.length === 1) return [{ id: group[0]!.id, failure: described(failure) }];
      return group.flatMap((one) => this.commit([one]));
    }
  }

  /** Moves the log into the file if it has become long. Pages that cannot be moved, because the disk is full, stay in the log. */
  checkpoint(): void {
    try {
      const { log, checkpointed } = this.#prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
      if (log - checkpointed > MAX_PAGES_IN_LOG) this.#prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
      this.#isReported = false;
    } catch (failure) {
      // Everything is on disk, and the next commit tries again.
      if (!this.#isReported) process.emitWarning(`The log of the database grows: ${described(failure).message}`);
      this.#isReported = true;
    }
  }

  close(): void {
    this.#connection.close();
  }

  #commit(group: readonly Transaction[]): StatementResult[][] {
    this.#waitForDisk(group.some(({ isDurable }) => isDurable));
    this.#prepare('BEGIN IMMEDIATE').run();
    try {
      const results = group.map(({ parts = [], statements, wantsResults }) => {
        for (const part of parts) for (const statement of deserialize(part) as readonly Statement[]) this.#run(statement);
        const ofOne = statements.map((statement) => this.#run(statement));
        return wantsResults ? ofOne : [];
      });
      this.#prepare('COMMIT').run();
      return results;
    } catch (failure) {
      if (this.#connection.isTransaction) this.#prepare('ROLLBACK').run();
      throw failure;
    }
  }

  #waitForDisk(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return;
    this.#connection.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
    this.#isDurable = isDurable;
  }

  #run({ sql, parameters }: Statement): StatementResult {
    const statement = this.#prepare(sql);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: 0, lastInsertRowid: 0 };
    return { rows: [], ...statement.run(...parameters) };
  }
}

function described(failure: unknown): WriteFailure {
  const { message, code, errcode } = failure as Error & { readonly code?: string; readonly errcode?: number };
  return { message, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) };
}
