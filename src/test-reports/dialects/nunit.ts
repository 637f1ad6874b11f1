// The XML of NUnit 3.
import { cutName } from '../cut-text.ts';
import { millisecondsOf } from '../duration.ts';
import { KeptText } from '../kept-text.ts';
import { MAX_MESSAGE, MAX_NAME, MAX_TRACE } from '../limits.ts';
import type { Outcome } from '../result.ts';
import type { Attributes, Dialect, OnResult } from './dialect.ts';
import { failureText } from './failure.ts';

export const NUNIT_ROOTS: readonly string[] = ['test-run'];

const OUTCOMES: ReadonlyMap<string | undefined, Outcome> = new Map([
  ['passed', 'passed'],
  ['warning', 'passed'],
  ['failed', 'failed'],
]);

interface Case {
  readonly attributes: Attributes;
  readonly message: KeptText;
  readonly trace: KeptText;
}

export class NUnit implements Dialect {
  readonly #onResult: OnResult;
  /** The names of the elements that are open, from the test on. */
  readonly #path: string[] = [];
  #case: Case | undefined;
  #kept: KeptText | undefined;

  constructor(onResult: OnResult) {
    this.#onResult = onResult;
  }

  get wantsText(): boolean {
    return this.#kept !== undefined;
  }

  open(name: string, attributes: Attributes): void {
    if (!this.#case && name === 'test-case')
      this.#case = { attributes, message: new KeptText(MAX_MESSAGE + 1), trace: new KeptText(MAX_TRACE + 1) };
    if (!this.#case) return;
    this.#path.push(name);
    const [, element, part, ...deeper] = this.#path;
    if ((element !== 'failure' && element !== 'reason') || deeper.length > 0) return;
    if (part === 'message') this.#kept = this.#case.message;
    if (part === 'stack-trace') this.#kept = this.#case.trace;
  }

  text(piece: string): void {
    this.#kept?.add(piece);
  }

  close(): void {
    if (!this.#case) return;
    this.#kept = undefined;
    this.#path.pop();
    if (this.#path.length === 0) this.#finish(this.#case);
  }

  end(): void {
    // A test whose element was not read to its end is not known to have passed.
  }

  #finish({ attributes, message, trace }: Case): void {
    this.#case = undefined;
    const result = OUTCOMES.get(attributes.get('result')?.toLowerCase()) ?? 'skipped';
    this.#onResult({
      class: cutName(attributes.get('classname') ?? '', MAX_NAME),
      name: cutName(attributes.get('name') ?? attributes.get('fullname') ?? '', MAX_NAME),
      result,
      durationMs: millisecondsOf(attributes.get('duration')),
      ...(result === 'passed' ? { message: null, trace: null } : failureText(message.text, trace.text)),
    });
  }
}
