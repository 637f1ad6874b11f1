// The differences between two texts, line by line, for showing them side by side.

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** One row of both texts. A changed line stands beside its new text. */
export interface DifferenceRow {
  readonly kind: 'same' | 'changed' | 'added' | 'removed';
  readonly before?: NumberedLine;
  readonly after?: NumberedLine;
}

/** Rows that are shown, or rows between them in which nothing changed. */
export interface DifferenceSection {
  readonly isFolded: boolean;
  readonly rows: readonly DifferenceRow[];
}

/** The table that finds common lines has this many cells at most. Larger differences are shown as replaced. */
const MAX_CELLS = 4_000_000;
const LINES_AROUND = 3;

export function lineDifference(before: string, after: string): DifferenceRow[] {
  const [earlier, later] = [linesOf(before), linesOf(after)];
  const shared = Math.min(earlier.length, later.length);
  let start = 0;
  while (start < shared && earlier[start] === later[start]) start++;
  let end = 0;
  while (end < shared - start && earlier.at(-1 - end) === later.at(-1 - end)) end++;
  const pairs: Pair[] = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  for (const [one, other] of commonLines(earlier.slice(start, earlier.length - end), later.slice(start, later.length - end)))
    pairs.push([one + start, other + start]);
  for (let index = end; index > 0; index--) pairs.push([earlier.length - index, later.length - index]);
  return rowsOf(earlier, later, pairs);
}

/** Rows far from any change are folded. */
export function sectionsOf(rows: readonly DifferenceRow[]): DifferenceSection[] {
  const isNear = new Array<boolean>(rows.length).fill(false);
  rows.forEach(({ kind }, at) => {
    if (kind !== 'same') isNear.fill(true, Math.max(0, at - LINES_AROUND), at + LINES_AROUND + 1);
  });
  const sections: { isFolded: boolean; rows: DifferenceRow[] }[] = [];
  rows.forEach((row, at) => {
    const isFolded = !isNear[at];
    if (sections.at(-1)?.isFolded !== isFolded) sections.push({ isFolded, rows: [] });
    sections.at(-1)!.rows.push(row);
  });
  // A single line takes no more space than the words that would stand for it.
  return sections.map((section) => (section.rows.length === 1 ? { ...section, isFolded: false } : section));
}

type Pair = readonly [before: number, after: number];

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The longest common subsequence, as indexes in both. */
function commonLines(before: readonly string[], after: readonly string[]): Pair[] {
  const [rows, width] = [before.length, after.length + 1];
  if (rows * width > MAX_CELLS) return [];
  // How many lines the rests of both texts have in common.
  const lengths = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      const at = row * width + column;
      lengths[at] = before[row] === after[column] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < rows && column < width - 1; ) {
    const at = row * width + column;
    if (before[row] === after[column]) pairs.push([row++, column++]);
    else if (lengths[at + width]! >= lengths[at + 1]!) row++;
    else column++;
  }
  return pairs;
}

function rowsOf(before: readonly string[], after: readonly string[], pairs: readonly Pair[]): DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  let [row, column] = [0, 0];
  for (const [nextRow, nextColumn] of [...pairs, [before.length, after.length] as const]) {
    for (; row < nextRow || column < nextColumn; ) {
      const removed = row < nextRow ? lineAt(before, row++) : undefined;
      const added = column < nextColumn ? lineAt(after, column++) : undefined;
      rows.push({ kind: removed && added ? 'changed' : removed ? 'removed' : 'added', before: removed, after: added });
    }
    if (nextRow < before.length || nextColumn < after.length)
      rows.push({ kind: 'same', before: lineAt(before, row++), after: lineAt(after, column++) });
  }
  return rows;
}

function lineAt(lines: readonly string[], index: number): NumberedLine {
  return { number: index + 1, text: lines[index]! };
}
