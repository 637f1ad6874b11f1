// JUnit XML, as Maven, Gradle, pytest, jest-junit, go-junit-report, GoogleTest, PHPUnit and many others write it: no two of them alike.
import { cutName } from '../cut-text.ts';
import { millisecondsOf } from '../duration.ts';
import { KeptText } from '../kept-text.ts';
import { MAX_NAME, MAX_TRACE } from '../limits.ts';
import type { Outcome } from '../result.ts';
import type { Attributes, Dialect, OnResult } from './dialect.ts';
import { failureText } from './failure.ts';

export const JUNIT_ROOTS: readonly string[] = ['testsuites', 'testsuite', 'testrun'];

const OUTCOMES: Readonly<Record<string, Outcome>> = { failure: 'failed', error: 'failed', skipped: 'skipped' };
/** Some say it with an attribute only. */
const NOT_RUN: ReadonlySet<string | undefined> = new Set(['skipped', 'disabled', 'notrun', 'ignored', 'suppressed', 'pending']);

interface Case {
  readonly attributes: Attributes;
  readonly suite: string;
  /** How deep its element is. */
  readonly depth: number;
  outcome: Outcome | undefined;
  message: string | undefined;
  type: string | undefined;
  readonly trace: KeptText;
}

export class JUnit implements Dialect {
  readonly #onResult: OnResult;
  readonly #suites: string[] = [];
  #depth = 0;
  #case: Case | undefined;
  wantsText = false;

  constructor(onResult: OnResult) {
    this.#onResult = onResult;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++;
    if (this.#case) this.#openInCase(this.#case, name, attributes);
    else if (name === 'testsuite') this.#suites.push(attributes.get('name') ?? '');
    else if (name === 'testcase') this.#case = this.#newCase(attributes);
  }

  text(piece: string): void {
    this.#case?.trace.add(piece);
  }

  close(name: string): void {
    const one = this.#case;
    if (one && this.#depth === one.depth) this.#finish(one);
    else if (one && this.#depth === one.depth + 1) {
      // The traces of several failures of one test stay apart.
      if (this.wantsText) one.trace.add('\n');
      this.wantsText = false;
    } else if (!one && name === 'testsuite') this.#suites.pop();
    this.#depth--;
  }

  end(): void {
    // A test whose element was not read to its end is not known to have passed.
  }

  #newCase(attributes: Attributes): Case {
    const suite = this.#suites.findLast((name) => name !== '') ?? '';
    const isSkipped = NOT_RUN.has(attributes.get('status')?.toLowerCase()) || NOT_RUN.has(attributes.get('result')?.toLowerCase());
    return {
      attributes,
      suite,
      depth: this.#depth,
      outcome: isSkipped ? 'skipped' : undefined,
      message: undefined,
      type: undefined,
      trace: new KeptText(MAX_TRACE + 1),
    };
  }

  /** Only children of the test itself count. A failure weighs more than being skipped. */
  #openInCase(one: Case, name: string, attributes: Attributes): void {
    const outcome = this.#depth === one.depth + 1 && Object.hasOwn(OUTCOMES, name) ? OUTCOMES[name] : undefined;
    if (outcome === undefined) return;
    if (one.outcome !== 'failed') one.outcome = outcome;
    one.message ??= attributes.get('message') || undefined;
    one.type ??= attributes.get('type');
    this.wantsText = true;
  }

  #finish(one: Case): void {
    const { attributes, suite, outcome: result = 'passed', message, type, trace } = one;
    this.#case = undefined;
    this.wantsText = false;
    this.#onResult({
      class: cutName(attributes.get('classname') ?? attributes.get('class') ?? suite, MAX_NAME),
      name: cutName(attributes.get('name') ?? '', MAX_NAME),
      result,
      durationMs: millisecondsOf(attributes.get('time') ?? attributes.get('duration')),
      ...(result === 'passed' ? { message: null, trace: null } : failureText(message, trace.text, type)),
    });
  }
}
