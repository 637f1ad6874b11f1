// An XML document in memory, each element with the place it came from.

export interface XmlElement {
  /** That of a processing instruction begins with a question mark; its text is its only child. */
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[];
  readonly line: number;
  readonly column: number;
}

/** Something wrong at a place of a text; lines and columns count from 1. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
