// Shows how far something is: on a terminal in one line that is written anew, elsewhere one line for each step.
import { shownText } from '../output/shown-text.ts';
import type { Output } from './context.ts';

const ERASE_LINE = '\r\u001b[2K';
const BAR_WIDTH = 20;

export class Progress {
  readonly #output: Output;
  #step: string | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  /** `figures`, and a bar for what `done` is of `all`, are shown on terminals only. */
  show(name: string, figures = '', done = 0, all = 0): void {
    const step = shownText(name);
    const { isTTY, columns = 80 } = this.#output;
    if (isTTY) this.#output.write(`${ERASE_LINE}${`${step}${all > 0 ? ` ${bar(done / all)}` : ''}${figures}`.slice(0, columns - 1)}`);
    else if (step !== this.#step) this.#output.write(`${step}\n`);
    this.#step = step;
  }

  end(): void {
    if (this.#output.isTTY && this.#step !== undefined) this.#output.write(ERASE_LINE);
    this.#step = undefined;
  }
}

/** What grows while it is counted may come to more than all of it. */
function bar(share: number): string {
  const whole = Math.min(1, Math.max(0, share));
  const filled = Math.round(whole * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${String(Math.floor(100 * whole)).padStart(3)} %`;
}
