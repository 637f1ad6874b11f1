// Statements that are sent at once and answered at once. On its own each costs both sides a message, and wakes them up.
import pg from 'pg';
import type { PreparedStatements, ResultColumn } from './prepared-statements.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export const command = (sql: string): Statement => ({ sql, parameters: [] });

export interface Result {
  readonly rows: readonly unknown[];
  readonly rowCount: number;
  /** The command that the server has run: `INSERT`, `COMMIT` … */
  readonly command: string;
}

export type ColumnParser = (oid: number) => ResultColumn['parse'];

interface Parts {
  readonly prepared: PreparedStatements;
  readonly parserOf: ColumnParser;
  resolve(results: readonly Result[]): void;
  reject(failure: unknown): void;
}

interface SentStatement {
  readonly sql: string;
  /** By which it was prepared here; undefined: it was not, or is not kept. */
  readonly newName: string | undefined;
  columns: readonly ResultColumn[];
}

type Value = string | Buffer | null;

const { prepareValue } = (pg as unknown as { readonly utils: { prepareValue(value: unknown): Value } }).utils;

const NO_COLUMNS: readonly ResultColumn[] = [];
/** `INSERT 0 3`, `SELECT 1`, `COMMIT`. */
const TAG = /^([A-Z]+)(?:.* (\d+)$)?/i;

/**
 * If a statement fails, the server skips the statements after it and undoes those before it. Only a transaction that was begun
 * explicitly has to be ended by the caller.
 */
export class StatementBatch extends pg.Query {
  readonly #statements: readonly { readonly sql: string; readonly values: Value[] }[];
  readonly #parts: Parts;
  readonly #sent: SentStatement[] = [];
  readonly #results: Result[] = [];
  #rows: unknown[] = [];
  /** An answer that could not be read. */
  #misread: unknown;

  constructor(statements: readonly Statement[], parts: Parts) {
    super('');
    this.#statements = statements.map(({ sql, parameters }) => ({ sql, values: parameters.map(prepareValue) }));
    this.#parts = parts;
  }

  override submit = (connection: pg.Connection): void => {
    const { prepared } = this.#parts;
    const newNames = new Map<string, string>();
    connection.stream.cork();
    for (const name of prepared.takeDiscarded()) connection.close({ type: 'S', name }, true);
    for (const { sql, values } of this.#statements) {
      const known = prepared.find(sql);
      const name = known?.name ?? newNames.get(sql);
      const newName = name === undefined ? prepared.begin(sql) : undefined;
      if (newName !== undefined) newNames.set(sql, newName);
      if (name === undefined) connection.parse({ name: newName ?? '', text: sql, types: [] }, true);
      connection.bind({ statement: name ?? newName ?? '', values }, true);
      if (!known) connection.describe({ type: 'P' }, true);
      connection.execute({}, true);
      this.#sent.push({ sql, newName, columns: known?.columns ?? NO_COLUMNS });
    }
    connection.sync();
    connection.stream.uncork();
  };

  // The methods that the driver calls with the answers of the server.

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#current.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parts.parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(readRow(this.#current.columns, fields));
    } catch (failure) {
      this.#misread ??= failure;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [, command = '', count] = TAG.exec(text) ?? [];
    this.#results.push({ rows: this.#rows, rowCount: Number(count ?? 0), command });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    const { prepared, resolve, reject } = this.#parts;
    for (const { sql, newName, columns } of this.#sent) if (newName !== undefined) prepared.keep(sql, { name: newName, columns });
    if (this.#misread === undefined) resolve(this.#results);
    else reject(this.#misread);
  }

  handleError(failure: unknown): void {
    const { prepared, reject } = this.#parts;
    for (const { sql, newName } of this.#sent) if (newName !== undefined) prepared.discard(sql, newName);
    reject(failure);
  }

  get #current(): SentStatement {
    return this.#sent[this.#results.length]!;
  }
}

function readRow(columns: readonly ResultColumn[], texts: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) {
    const { name, parse } = columns[at]!;
    const text = texts[at]!;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}
