// Output to a terminal: whatever a command prints of an answer, nothing of it reaches the terminal as an order.
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { shownWithColours } from '../output/shown-text.ts';
import type { Output } from './context.ts';
import { ERASE_LINE } from './progress.ts';

/** Files and pipes get everything as it is. */
export function guardedOutput(output: Output): Output {
  return output.isTTY ? new GuardedOutput(output) : output;
}

class GuardedOutput extends Writable {
  readonly isTTY = true;
  readonly #terminal: Output;
  /** Of bytes, a letter may come in two pieces. */
  readonly #decoder = new StringDecoder('utf8');

  constructor(terminal: Output) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number | undefined {
    return this.#terminal.columns;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#terminal.write(guarded(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    done();
  }
}

/** Only progress erases the line, and first of all. Elsewhere output begins with an empty line, and there it erases nothing. */
function guarded(text: string): string {
  return text.startsWith(ERASE_LINE) ? `${ERASE_LINE}${shownWithColours(text.slice(ERASE_LINE.length))}` : shownWithColours(text);
}
