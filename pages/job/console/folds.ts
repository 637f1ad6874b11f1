// Which lines are shown where some are folded away: rows on the screen, and lines of the log.

export interface Fold {
  /** The line that stays, and stands for the rest. */
  readonly first: number;
  readonly last: number;
}

interface RowsOfLog {
  readonly lineCount: number;
  readonly firstRow: number | undefined;
}

export class Folds {
  /** Sorted, and none inside another. */
  readonly #folds: readonly Fold[];
  /** How many lines the folds before each fold have hidden. */
  readonly #hiddenBefore: readonly number[];
  readonly #hidden: number;

  constructor(folds: readonly Fold[]) {
    this.#folds = folds.filter(({ first, last }) => last > first).toSorted((one, other) => one.first - other.first);
    let hidden = 0;
    this.#hiddenBefore = this.#folds.map(({ first, last }) => {
      const before = hidden;
      hidden += last - first;
      return before;
    });
    this.#hidden = hidden;
  }

  rowCount(lineCount: number): number {
    return lineCount - this.#hidden;
  }

  lineAt(row: number): number {
    const index = this.#last((fold, index) => fold.first - this.#hiddenBefore[index]! < row);
    if (index < 0) return row;
    const { first, last } = this.#folds[index]!;
    return row + this.#hiddenBefore[index]! + (last - first);
  }

  /** The row that shows a line, or stands for it. */
  rowOf(line: number): number {
    const index = this.#last(({ first }) => first < line);
    if (index < 0) return line;
    const { first, last } = this.#folds[index]!;
    const before = this.#hiddenBefore[index]!;
    return line <= last ? first - before : line - before - (last - first);
  }

  /** The line before or after the chosen one; the first in sight where none is chosen. Undefined: there are no lines. */
  neighbour(chosen: number | undefined, by: 1 | -1, { lineCount, firstRow = 0 }: RowsOfLog): number | undefined {
    const row = chosen === undefined ? firstRow : this.rowOf(chosen) + by;
    const last = this.rowCount(lineCount) - 1;
    return last < 0 ? undefined : this.lineAt(Math.min(Math.max(row, 0), last));
  }

  /** The last fold for which a predicate holds that holds for all folds before it; -1: for none. */
  #last(holds: (fold: Fold, index: number) => boolean): number {
    let [low, high] = [0, this.#folds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#folds[middle]!, middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
