// Where a command that follows something writes: output and progress, which on a terminal share lines.
import { once } from 'node:events';
import { colouredLines } from '../../output/shown-text.ts';
import type { Context, Output } from '../../terminal/context.ts';
import { Progress } from '../../terminal/progress.ts';

export class FollowScreen {
  readonly #out: Output;
  readonly #progress: Progress;
  /** Whether a line of progress stands where output would go. */
  readonly #isShared: boolean;
  #shown: readonly [string, string] | undefined;

  constructor({ out, err }: Pick<Context, 'out' | 'err'>) {
    this.#out = out;
    this.#progress = new Progress(err);
    this.#isShared = err.isTTY === true;
  }

  /** How far it is. */
  show(step: string, details = ''): void {
    this.#shown = [step, details];
    this.#progress.show(step, details);
  }

  /** Why nothing can be said now; undefined: that is over. */
  readonly unavailable = (sentence: string | undefined): void => {
    if (sentence === undefined) this.end();
    else this.show(sentence);
  };

  /** Whole lines of output, as they are except on a terminal. Returns when there is room for more. */
  async write(text: string): Promise<void> {
    // Elsewhere a step must not be printed twice.
    if (this.#isShared) this.#progress.end();
    const hasRoom = this.#out.write(this.#out.isTTY ? colouredLines(text) : text);
    if (this.#isShared && this.#shown) this.#progress.show(...this.#shown);
    if (!hasRoom) await once(this.#out, 'drain');
  }

  end(): void {
    this.#shown = undefined;
    this.#progress.end();
  }
}
