// Whether JSON is too deep or has too many values, before it is parsed: the parser would take its time for all of it, and others would wait.
export interface JsonBounds {
  readonly maxDepth: number;
  readonly maxValues: number;
}

export type JsonExcess = 'too deep' | 'too many values';

const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:') as unknown as [number, number, number, number];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = Buffer.from('[]{}') as unknown as [number, number, number, number];

/** Undefined: it has neither more levels nor more values; or it is no JSON, which the parser tells better. */
export function excessOf(json: Uint8Array, { maxDepth, maxValues }: JsonBounds): JsonExcess | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > maxDepth) return 'too deep';
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    else if (byte === COMMA || byte === COLON) values++;
    // In an object a comma and a colon stand for one value.
    if (values > 2 * maxValues) return 'too many values';
  }
  return undefined;
}

/** Where the closing quote is, or the last byte. */
function endOfText(json: Uint8Array, start: number): number {
  for (let quote = json.indexOf(QUOTE, start + 1); quote >= 0; quote = json.indexOf(QUOTE, quote + 1)) {
    let before = quote;
    while (json[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}
