// Which rows of a long list are in sight, and where they stand.

export interface Measures {
  readonly count: number;
  /** The height of a row. */
  readonly row: number;
  /** The row below which more is shown, and how high that is. */
  readonly open: { readonly index: number; readonly height: number } | undefined;
}

/** Rows drawn above and below the visible part, so that scrolling does not show gaps. */
const SPARE_ROWS = 6;

export function heightOfList(measures: Measures): number {
  return topOfRow(measures.count, measures);
}

/** From the top of the list. */
export function topOfRow(index: number, { row, open }: Measures): number {
  return index * row + (open !== undefined && index > open.index ? open.height : 0);
}

/** The rows between two heights of the list: from `first` to before `last`. */
export function windowOnto(
  measures: Measures,
  viewport: { readonly top: number; readonly bottom: number },
  spareRows = SPARE_ROWS,
): { first: number; last: number } {
  return {
    first: Math.max(0, Math.floor(rowsAbove(viewport.top, measures)) - spareRows),
    last: Math.max(0, Math.min(measures.count, Math.ceil(rowsAbove(viewport.bottom, measures)) + spareRows)),
  };
}

/** How many rows stand above a height; the open content belongs to its row. */
function rowsAbove(y: number, { row, open }: Measures): number {
  if (open === undefined) return y / row;
  const end = (open.index + 1) * row;
  if (y <= end) return y / row;
  return Math.max(open.index + 1 - 1 / row, (y - open.height) / row);
}
