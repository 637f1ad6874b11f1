// Prints to the console how far a long transfer is: a job that says nothing for long is taken for dead.
import { pluralize } from '../../kit/text/pluralize.ts';
import { formatSize } from './format-size.ts';

const PROGRESS_MS = 10_000;

export class Progress {
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #passed = 0;
  #files = 0;
  #bytes = 0;

  /** `verb`: the operation on the files, such as `Uploaded`. */
  constructor(verb: string, print: (line: string) => void) {
    this.#timer = setInterval(() => print(`${verb} ${formatSize(this.#passed)} so far.`), PROGRESS_MS);
  }

  /** Bytes on the way; they may have to be sent again. */
  passed(bytes: number): void {
    this.#passed += bytes;
  }

  done(files: number, bytes: number): void {
    this.#files += files;
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  summary(): string {
    return `${pluralize(this.#files, 'file')} (${formatSize(this.#bytes)}) in ${Math.round(performance.now() - this.#began)} ms`;
  }
}
