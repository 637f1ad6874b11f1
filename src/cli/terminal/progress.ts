// Shows how far something is: on a terminal in one line that is written anew, elsewhere a line for each step, and now and then one in between.
import { shownText } from '../output/shown-text.ts';
import type { Output } from './context.ts';

export const ERASE_LINE = '\r\u001b[2K';
const BAR_WIDTH = 20;
/** Users do not read faster. */
const REWRITE_MS = 50;
/** In a log: often enough to see that it goes on. */
const LINE_MS = 10_000;

export class Progress {
  readonly #output: Output;
  readonly #now: () => number;
  #step: string | undefined;
  #writtenAt = 0;

  constructor(output: Output, now: () => number = () => performance.now()) {
    this.#output = output;
    this.#now = now;
  }

  /** A bar for the share of `done` in `all` is shown on terminals only. */
  show(name: string, details = '', done = 0, all = 0): void {
    const step = shownText(name);
    const isNew = step !== this.#step;
    const { isTTY, columns = 80 } = this.#output;
    const waited = this.#now() - this.#writtenAt;
    this.#step = step;
    if (isTTY && (isNew || all === 0 || waited >= REWRITE_MS))
      this.#write(`${ERASE_LINE}${`${step}${all > 0 ? ` ${bar(done / all)}` : ''}${details}`.slice(0, columns - 1)}`);
    else if (!isTTY && isNew) this.#write(`${step}\n`);
    else if (!isTTY && all > 0 && waited >= LINE_MS) this.#write(`${step}${details}\n`);
  }

  #write(text: string): void {
    this.#output.write(text);
    this.#writtenAt = this.#now();
  }

  end(): void {
    if (this.#output.isTTY && this.#step !== undefined) this.#output.write(ERASE_LINE);
    this.#step = undefined;
  }
}

/** A total that grows while it is counted may be exceeded. */
function bar(share: number): string {
  const whole = Math.min(1, Math.max(0, share));
  const filled = Math.round(whole * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${String(Math.floor(100 * whole)).padStart(3)} %`;
}
