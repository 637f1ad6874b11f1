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
  readonly limit: number;
}

export async function cursorPage<T>(
  { after, before }: Cursor,
  size: number,
  read: (range: Range) => Promise<readonly T[]>,
): Promise<CursorPage<T>> {
  if (before !== undefined) {
    const rows = await read({ side: '>', id: before, order: 'asc', limit: size + 1 });
    return { items: rows.slice(0, size).toReversed(), hasNewer: rows.length > size, hasOlder: true };
  }
  const rows = await read({ side: '<', id: after ?? Number.MAX_SAFE_INTEGER, order: 'desc', limit: size + 1 });
  return { items: rows.slice(0, size), hasNewer: after !== undefined, hasOlder: rows.length > size };
}
