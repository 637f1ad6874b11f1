// The messages between the server and the thread that writes to the database.
import type { SQLInputValue } from 'node:sqlite';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** A statement as it is sent. */
export type NumberedStatement = readonly [textOrNumber: string | number, ...parameters: SQLInputValue[]];

/** Statements that reach the disk together, or not at all. */
export interface Transaction<S = Statement> {
  readonly id: number;
  /** Further statements that come first, where there are very many: as bytes, which take no place on the heap of the thread. */
  readonly parts?: readonly Uint8Array<ArrayBuffer>[];
  readonly statements: readonly S[];
  /** Whether it is on disk before it is answered. Otherwise a power cut may take it back, but no other end of the process. */
  readonly isDurable: boolean;
  /** Whether the caller needs the results of its statements. */
  readonly wantsResults: boolean;
}

export interface StatementResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/** A failure of SQLite. Structured clones of errors would lose the codes. */
export interface WriteFailure {
  readonly message: string;
  readonly code?: string;
  readonly errcode?: number;
}

export type ToWriter =
  | { readonly transaction: Transaction<NumberedStatement> }
  /** A statement that will be sent by its number: the first is 0. */
  | { readonly text: string }
  /** Part of a large transaction, which follows under the same id. */
  | { readonly id: number; readonly part: Uint8Array<ArrayBuffer> }
  | { readonly isLogHeld: boolean }
  | { readonly close: true };

export type FromWriter =
  | { readonly id: number; readonly results: readonly StatementResult[] }
  | { readonly id: number; readonly failure: WriteFailure };
