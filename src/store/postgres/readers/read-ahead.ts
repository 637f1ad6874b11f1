// The change log for readers that ask for one revision after the other: it is read in pages, because each round trip takes time.
import type { ChangeRow, RevisionRow } from '../../rows/configuration.ts';
import { type Ask, inPages, ROWS_AT_ONCE } from './reader.ts';

const REVISIONS = `select * from revisions where revision >= $1 order by revision limit ${ROWS_AT_ONCE}`;
const CHANGES = 'select * from changes where (revision, position) > ($1, $2) order by revision, position';

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The last revision of which all rows are there. */
  readonly to: number;
}

class ReadAhead<Row extends { readonly revision: number }> {
  readonly #read: (from: number) => Promise<Page<Row>>;
  /** All rows of the revisions in between are known. */
  #from = 0;
  #to = -1;
  #known: ReadonlyMap<number, readonly Row[]> = new Map();

  constructor(read: (from: number) => Promise<Page<Row>>) {
    this.#read = read;
  }

  async of(revision: number): Promise<readonly Row[]> {
    // An event that was tampered with can name anything as its revision.
    if (!Number.isSafeInteger(revision)) return [];
    if (revision < this.#from || revision > this.#to) {
      const { rows, to } = await this.#read(revision);
      [this.#from, this.#to, this.#known] = [revision, to, Map.groupBy(rows, (row) => row.revision)];
    }
    return this.#known.get(revision) ?? [];
  }
}

export function revisionsAhead(ask: Ask): ReadAhead<RevisionRow> {
  return new ReadAhead(async (from) => {
    const rows = await ask<RevisionRow>(REVISIONS, [from]);
    return { rows, to: rows.at(-1)?.revision ?? from - 1 };
  });
}

export function changesAhead(ask: Ask): ReadAhead<ChangeRow> {
  return new ReadAhead(async (from) => {
    const rows: ChangeRow[] = [];
    const keyOf = ({ revision, position }: ChangeRow) => [revision, position];
    const start = [from - 1, Number.MAX_SAFE_INTEGER];
    for await (const page of inPages<ChangeRow>(ask, { sql: CHANGES, from: start, keyOf })) {
      rows.push(...page);
      // The rest of the last revision may be on the next page; a large one has several for itself.
      const last = rows.at(-1)?.revision ?? from;
      if (last > from) return { rows, to: last - 1 };
    }
    return { rows, to: rows.at(-1)?.revision ?? from - 1 };
  });
}
