// Cuts rows into batches that are neither many small messages nor one huge one, and makes their values such that PostgreSQL takes them.
import type { Column } from '../postgres/columns.ts';
import type { Value } from '../sqlite/whole-tables.ts';

const MAX_ROWS = 2000;
const MAX_CHARACTERS = 1_000_000;
const NUL = '\u0000';
/** Stands for a character that PostgreSQL does not take. */
const REPLACEMENT = '\ufffd';

export interface Batch {
  readonly rows: number;
  /** One list for each column. */
  readonly columns: readonly (readonly (string | number | null)[])[];
  /** How many characters PostgreSQL does not take, and stand as U+FFFD now. */
  readonly replaced: number;
}

export function* batchesOf(rows: Iterable<readonly Value[]>, columns: readonly Column[]): Generator<Batch> {
  const empty = () => ({ rows: 0, characters: 0, replaced: 0, columns: columns.map((): (string | number | null)[] => []) });
  let batch = empty();
  for (const row of rows) {
    for (const [index, { type }] of columns.entries()) {
      const { value, replaced } = type === 'text' ? textOf(row[index]!) : { value: numberOf(row[index]!), replaced: 0 };
      batch.columns[index]!.push(value);
      batch.replaced += replaced;
      batch.characters += typeof value === 'string' ? value.length : 0;
    }
    batch.rows++;
    if (batch.rows < MAX_ROWS && batch.characters < MAX_CHARACTERS) continue;
    yield batch;
    batch = empty();
  }
  if (batch.rows > 0) yield batch;
}

function textOf(value: Value): { readonly value: string | null; readonly replaced: number } {
  if (value === null) return { value, replaced: 0 };
  const text = String(value);
  if (!text.includes(NUL)) return { value: text, replaced: 0 };
  return { value: text.replaceAll(NUL, REPLACEMENT), replaced: text.split(NUL).length - 1 };
}

/** SQLite keeps a fraction in a column of whole numbers; PostgreSQL does not. */
function numberOf(value: Value): number | string | null {
  if (value === null) return null;
  return typeof value === 'number' ? Math.round(value) : String(value);
}
