// A step from one schema version to the next.
import type { XmlElement } from '../../kit/xml/tree.ts';

/** Something of the file that is not taken over. */
export interface IgnoredContent {
  readonly what: string;
  readonly why: string;
}

/** Changes the document in place. */
export type Step = (root: XmlElement) => readonly IgnoredContent[] | undefined;
