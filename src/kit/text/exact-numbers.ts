// Numbers in texts. A number of JSON that would read differently once it is parsed (1.10, or one with too many digits) stays the
// text that was written, and callers that need the number read it from the text.

/** Finds all numbers, and look-alikes inside of texts. */
const NUMBERS = /[:,[]\s*(-?\d[\d.eE+-]*)(?=\s*[,}\]])/g;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The parsed value of `text`, with such numbers as texts. */
export function withExactNumbers<T>(parsed: T, text: string): T {
  // Mostly there is none: to look at each value again as it is parsed takes ten times as long.
  if (!text.matchAll(NUMBERS).some(([, written]) => typeof exactNumber(written!) === 'string')) return parsed;
  const revive = (_: string, value: unknown, { source }: { readonly source: string }) =>
    typeof value === 'number' ? exactNumber(source) : value;
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]) as T;
}

/** The number that JSON writes so, or the text itself. */
export function exactNumber(written: string): number | string {
  const number = Number(written);
  return String(number) === written ? number : written;
}

/** The number that a person would read in a text; NaN when it is none. */
export function decimalIn(text: string): number {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
}
