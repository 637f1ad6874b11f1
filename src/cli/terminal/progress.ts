// Shows how far something is: on a terminal in one line that is written anew, elsewhere one line for each step.
import type { Output } from './context.ts';

const ERASE_LINE = '\r\u001b[2K';

export class Progress {
  readonly #output: Output;
  #step: string | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  /** `figures` are shown on terminals only. */
  show(step: string, figures = ''): void {
    const { isTTY, columns = 80 } = this.#output;
    if (isTTY) this.#output.write(`${ERASE_LINE}${`${step}${figures}`.slice(0, columns - 1)}`);
    else if (step !== this.#step) this.#output.write(`${step}\n`);
    this.#step = step;
  }

  end(): void {
    if (this.#output.isTTY && this.#step !== undefined) this.#output.write(ERASE_LINE);
    this.#step = undefined;
  }
}
