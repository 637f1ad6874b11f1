// TRX, the XML of the test runner of Visual Studio and `dotnet test`. Classes stand after the results, so those are kept until the end.
import { cutName } from '../cut-text.ts';
import { millisecondsOfClock } from '../duration.ts';
import { KeptText } from '../kept-text.ts';
import { MAX_KEPT_TEXT, MAX_MESSAGE, MAX_NAME, MAX_TESTS, MAX_TRACE } from '../limits.ts';
import type { Outcome, TestResult } from '../result.ts';
import type { Attributes, Dialect, OnResult } from './dialect.ts';
import { failureText } from './failure.ts';

export const TRX_ROOTS: readonly string[] = ['TestRun'];

const PASSED: ReadonlySet<string> = new Set(['passed', 'warning', 'completed', 'passedbutrunaborted']);
const FAILED: ReadonlySet<string> = new Set(['failed', 'error', 'timeout', 'aborted']);
const MAX_ID_LENGTH = 100;

interface Open {
  readonly attributes: Attributes;
  readonly message: KeptText;
  readonly trace: KeptText;
  /** It stands for the ones inside it, and is no test of its own. */
  hasInner: boolean;
}

export class Trx implements Dialect {
  readonly #onResult: OnResult;
  readonly #path: string[] = [];
  readonly #open: Open[] = [];
  readonly #done: { readonly id: string; readonly result: TestResult }[] = [];
  /** The class of each test, by its id. */
  readonly #classes = new Map<string, string>();
  /** Bytes of text among those that are kept. */
  #textBytes = 0;
  #definition: string | undefined;
  #kept: KeptText | undefined;

  constructor(onResult: OnResult) {
    this.#onResult = onResult;
  }

  get wantsText(): boolean {
    return this.#kept !== undefined;
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.#path.at(-1);
    this.#path.push(name);
    if (name === 'UnitTestResult') this.#openResult(attributes);
    else if (name === 'UnitTest') this.#definition = attributes.get('id')?.slice(0, MAX_ID_LENGTH);
    else if (name === 'TestMethod' && this.#definition !== undefined) this.#define(this.#definition, attributes.get('className'));
    else if (parent === 'ErrorInfo' && name === 'Message') this.#kept = this.#open.at(-1)?.message;
    else if (parent === 'ErrorInfo' && name === 'StackTrace') this.#kept = this.#open.at(-1)?.trace;
  }

  text(piece: string): void {
    this.#kept?.add(piece);
  }

  close(name: string): void {
    this.#path.pop();
    this.#kept = undefined;
    if (name === 'UnitTest') this.#definition = undefined;
    const one = name === 'UnitTestResult' ? this.#open.pop() : undefined;
    if (one && !one.hasInner) this.#finish(one);
  }

  end(): void {
    for (const { id, result } of this.#done.splice(0)) this.#onResult({ ...result, class: this.#classes.get(id) ?? result.class });
  }

  #openResult(attributes: Attributes): void {
    const outer = this.#open.at(-1);
    if (outer) outer.hasInner = true;
    this.#open.push({ attributes, message: new KeptText(MAX_MESSAGE + 1), trace: new KeptText(MAX_TRACE + 1), hasInner: false });
  }

  /** Assemblies may stand after a comma. */
  #define(id: string, className: string | undefined): void {
    if (className !== undefined && this.#classes.size <= MAX_TESTS) this.#classes.set(id, cutName(className.split(',', 1)[0]!, MAX_NAME));
  }

  #finish({ attributes, message, trace }: Open): void {
    // One more than is kept of a job, so that the excess is reported.
    if (this.#done.length > MAX_TESTS) return;
    const result = outcomeOf(attributes.get('outcome')?.toLowerCase());
    const texts =
      result === 'passed' || this.#textBytes > MAX_KEPT_TEXT ? { message: null, trace: null } : failureText(message.text, trace.text);
    this.#textBytes += Buffer.byteLength(texts.message ?? '') + Buffer.byteLength(texts.trace ?? '');
    const name = attributes.get('testName') ?? '';
    this.#done.push({
      id: attributes.get('testId')?.slice(0, MAX_ID_LENGTH) ?? '',
      result: {
        class: '',
        name: cutName(name, MAX_NAME),
        result,
        durationMs: millisecondsOfClock(attributes.get('duration')),
        ...texts,
      },
    });
  }
}

function outcomeOf(outcome = ''): Outcome {
  if (PASSED.has(outcome)) return 'passed';
  return FAILED.has(outcome) ? 'failed' : 'skipped';
}
