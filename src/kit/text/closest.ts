// The word that a user may have meant: of the known words, the one that differs in the fewest letters.
const MAX_WORD_LENGTH = 40;

/** Undefined when none is close enough to be more than a guess. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= fewest || candidate === word) continue;
    const differences = differencesOf(word.toLowerCase(), candidate.toLowerCase());
    if (differences >= fewest) continue;
    fewest = differences;
    best = candidate;
  }
  return best;
}

/** Letters to add, remove, change, or swap with their neighbour. */
function differencesOf(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = last[column - 1]! + (isSame ? 0 : 1);
      const swapped = isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(last[column]! + 1, current[column - 1]! + 1, changed, swapped));
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length]!;
}
