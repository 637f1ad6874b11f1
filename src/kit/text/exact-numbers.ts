// Numbers in texts. A number of JSON that would read differently once it is parsed (1.10, or one with too many digits) stays the
// text that was written, and callers that need the number read it from the text.

/** Finds all numbers, and look-alikes inside of texts. */
const NUMBERS = /[:,[]\s*(-?\d[\d.eE+-]*)(?=\s*[,}\]])/g;
const IN_NUMBERS: ReadonlySet<string> = new Set('0123456789.eE+-');
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The parsed value of `text`, with such numbers as texts. */
export function withExactNumbers<T>(parsed: T, text: string): T {
  // Mostly there is none, and most texts look so at once.
  if (!text.matchAll(NUMBERS).some(([, written]) => typeof exactNumber(written!) === 'string')) return parsed;
  return JSON.parse(withQuotes(text)) as T;
}

/** With quotes around such numbers. It is JSON, as the parser has taken it: outside of texts digits are numbers. */
function withQuotes(json: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!;
    if (character === '"') at = endOfText(json, at);
    if (character !== '-' && !isDigit(character)) continue;
    let end = at + 1;
    while (end < json.length && IN_NUMBERS.has(json[end]!)) end++;
    const written = json.slice(at, end);
    if (typeof exactNumber(written) === 'string') {
      pieces.push(json.slice(done, at), '"', written, '"');
      done = end;
    }
    at = end - 1;
  }
  return pieces.join('') + json.slice(done);
}

/** Where the closing quote is. */
function endOfText(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
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
