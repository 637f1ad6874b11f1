// Handles the elements of a report, and chooses its dialect by the first of them.
import type { XmlHandler } from '../kit/xml/stream-xml.ts';
import type { Attributes, Dialect, OnResult } from './dialects/dialect.ts';
import { JUNIT_ROOTS, JUnit } from './dialects/junit.ts';
import { NUNIT_ROOTS, NUnit } from './dialects/nunit.ts';
import { TRX_ROOTS, Trx } from './dialects/trx.ts';

const DIALECTS: readonly (readonly [roots: readonly string[], make: (onResult: OnResult) => Dialect])[] = [
  [JUNIT_ROOTS, (onResult) => new JUnit(onResult)],
  [NUNIT_ROOTS, (onResult) => new NUnit(onResult)],
  [TRX_ROOTS, (onResult) => new Trx(onResult)],
];
const MAX_SHOWN_LENGTH = 100;

export class ReportHandler implements XmlHandler {
  readonly #onResult: OnResult;
  #dialect: Dialect | undefined;
  /** The name of the root, where it is that of no report. */
  #strangeRoot: string | undefined;

  constructor(onResult: OnResult) {
    this.#onResult = onResult;
  }

  get wantsText(): boolean {
    return this.#dialect?.wantsText ?? false;
  }

  /** Why there is nothing to read on. */
  get problem(): string | undefined {
    return this.#strangeRoot === undefined ? undefined : `<${this.#strangeRoot}> is not the root of a test report.`;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#strangeRoot !== undefined) return;
    const local = localName(name);
    if (!this.#dialect) {
      this.#dialect = DIALECTS.find(([roots]) => roots.includes(local))?.[1](this.#onResult);
      if (!this.#dialect) this.#strangeRoot = name.slice(0, MAX_SHOWN_LENGTH);
    }
    this.#dialect?.open(local, attributes);
  }

  text(piece: string): void {
    this.#dialect?.text(piece);
  }

  close(name: string): void {
    this.#dialect?.close(localName(name));
  }

  end(): void {
    this.#dialect?.end();
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
