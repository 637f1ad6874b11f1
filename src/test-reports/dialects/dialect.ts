// A way of writing reports of tests. It hears the elements of a document and reports the tests in it.
import type { XmlHandler } from '../../kit/xml/stream-xml.ts';
import type { TestResult } from '../result.ts';

export type Attributes = ReadonlyMap<string, string>;

export interface Dialect extends XmlHandler {
  /** The document is over, or cannot be read on: the last tests are reported now. */
  end(): void;
}

export type OnResult = (result: TestResult) => void;
