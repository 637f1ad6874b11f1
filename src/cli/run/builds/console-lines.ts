// Reads the lines of a console out of an answer: JSON lines, or a stream of events.

export interface ConsoleLine {
  readonly line: number;
  readonly time: string | null;
  readonly tag: string | null;
  readonly text: string;
}

/** How a line is printed: its text, or all of it as it stands in the file. */
export function printedLine({ time, tag, text }: ConsoleLine, isRaw: boolean): string {
  if (!isRaw || tag === null) return text;
  return `${tag}|${time === null ? '' : `${time} `}${text}`;
}

/** Several lines at a time, as they come. Ends with the body, also where that is cut off: the caller asks again from the next line on. */
export async function* consoleLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<readonly ConsoleLine[]> {
  let begun = '';
  for await (const text of textsOf(body)) {
    const lines = `${begun}${text}`.split('\n');
    begun = lines.pop()!;
    const read = lines.flatMap(lineIn);
    if (read.length > 0) yield read;
  }
}

const DATA = 'data: ';

/** Of events only the data counts: it holds the number too. */
function lineIn(text: string): ConsoleLine[] {
  const json = text.startsWith(DATA) ? text.slice(DATA.length) : text;
  return json.startsWith('{') ? [JSON.parse(json) as ConsoleLine] : [];
}

async function* textsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }) as const);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // A stream that was cut off need not be cancelled.
    await reader.cancel().catch(() => undefined);
  }
}
