// How many rows are read at once: so few that other work of the process gets its turn soon, and that large ones fit into memory.

const MAX_ROWS = 500;
const CHARACTERS = 500_000;

/** By the size of the rows of the page before. */
export function nextPage(rows: readonly (readonly (string | number | null)[])[]): number {
  const characters = rows.reduce((sum, row) => sum + row.reduce<number>((inRow, value) => inRow + String(value ?? '').length, 0), 0);
  return Math.max(1, Math.min(MAX_ROWS, Math.floor((CHARACTERS * rows.length) / Math.max(characters, 1))));
}
