// A page of a list that grows at its beginning, found by the id beside it: its cost does not depend on how long the list is.

/** Older than one (`after`), newer than one (`before`), or from the newest on. */
export interface Cursor {
  readonly after?: number;
  readonly before?: number;
}

export interface CursorPage<T> {
  /** Newest first. */
  readonly items: readonly T[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

export interface Range {
  readonly side: '<' | '>';
  readonly id: number;
  readonly order: 'asc' | 'desc';
  readonly most: number;
}

export async function cursorPage<T>(
  { after, before }: Cursor,
  most: number,
  read: (range: Range) => Promise<readonly T[]>,
): Promise<CursorPage<T>> {
  if (before !== undefined) {
    const rows = await read({ side: '>', id: before, order: 'asc', most: most + 1 });
    return { items: rows.slice(0, most).toReversed(), hasNewer: rows.length > most, hasOlder: true };
  }
  const rows = await read({ side: '<', id: after ?? Number.MAX_SAFE_INTEGER, order: 'desc', most: most + 1 });
  return { items: rows.slice(0, most), hasNewer: after !== undefined, hasOlder: rows.length > most };
}
