// Cuts texts to a length that people read.

/** A longer message quotes a text that no user reads to its end. */
export const MAX_MESSAGE_LENGTH = 2_000;
const OMITTED = '…';

/** Without its middle, if it is too long: a quoted text mostly stands there, and the problem with it after. */
export function truncate(text: string, maxLength: number = MAX_MESSAGE_LENGTH): string {
  if (text.length <= maxLength) return text;
  const kept = maxLength - OMITTED.length;
  const end = Math.floor(kept / 3);
  return copyOf(`${text.slice(0, kept - end).toWellFormed()}${OMITTED}${text.slice(-end).toWellFormed()}`);
}

export interface Room {
  /** Absent: as many as there are. */
  readonly maxItems?: number;
  readonly characters: number;
}

/** The first ones, as long as they are no more than that, and have no more characters together; at least one. */
export function firstThatFit<T>(items: Iterable<T>, charactersOf: (item: T) => number, { maxItems, characters }: Room): readonly T[] {
  const first: T[] = [];
  let sum = 0;
  for (const item of items) {
    sum += charactersOf(item);
    if (first.length > 0 && (first.length === maxItems || sum > characters)) break;
    first.push(item);
  }
  return first;
}

/** A slice of a text keeps the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
