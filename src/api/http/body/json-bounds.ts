// Whether JSON is too deep, or has too many values or names, before it is parsed: the parser would take its time, and others would wait.
import { randomInt } from 'node:crypto';

export interface JsonBounds {
  readonly maxDepth: number;
  readonly maxValues: number;
  /** Of the different names of members: each new one takes the parser as long as ten values. */
  readonly maxNames: number;
}

export type ExceededBound = 'too deep' | 'too many values' | 'too many names';

const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:') as unknown as [number, number, number, number];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = Buffer.from('[]{}') as unknown as [number, number, number, number];

/** Nobody else knows which names have the same hash. */
const SEED = randomInt(2 ** 32);
/** Of FNV-1a. */
const PRIME = 0x01000193;

/** Undefined: none; or it is no JSON, which the parser reports better. */
export function exceededBound(json: Uint8Array, { maxDepth, maxValues, maxNames }: JsonBounds): ExceededBound | undefined {
  let depth = 0;
  let values = 0;
  let [start, end] = [0, 0];
  const names = new Set<number>();
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      start = at;
      end = endOfText(json, at);
      at = end;
    } else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > maxDepth) return 'too deep';
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    else if (byte === COMMA) values++;
    else if (byte === COLON) {
      values++;
      names.add(hashOf(json, start, end));
      // Each text is hashed once, also where more colons follow.
      start = end;
      if (names.size > maxNames) return 'too many names';
    }
    // In an object a comma and a colon stand for one value.
    if (values > 2 * maxValues) return 'too many values';
  }
  return undefined;
}

/** Where the closing quote is; without one, the end of everything. */
function endOfText(json: Uint8Array, start: number): number {
  for (let quote = json.indexOf(QUOTE, start + 1); quote >= 0; quote = json.indexOf(QUOTE, quote + 1)) {
    let before = quote;
    while (json[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}

function hashOf(json: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ json[at]!, PRIME);
  return hash;
}
