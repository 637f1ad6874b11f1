// The messages between the server and the thread that keeps the document.

import type { DatabaseSource } from '../../store/source.ts';

export interface ThreadSettings {
  readonly database: DatabaseSource;
  /** The path of the index of the history. */
  readonly index: string;
  /** The path of the git repository of the history. */
  readonly repository: string;
}

/** The document of a revision. */
export interface CurrentDocument {
  readonly revision: number;
  readonly md5: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `minRevision` is the revision that the answer must have seen. */
export type Question =
  | { readonly ask: 'document'; readonly minRevision: number }
  | { readonly ask: 'recorded'; readonly minRevision: number }
  /** Writes the history anew; answered when that has begun. */
  | { readonly ask: 'rewrite' };

export interface Answers {
  readonly document: CurrentDocument;
  readonly recorded: undefined;
  readonly rewrite: undefined;
}

export type ToThread =
  | { readonly id: number; readonly question: Question }
  /** The change log has grown. */
  | { readonly wake: true }
  | { readonly stop: true };

export type FromThread =
  | { readonly id: number; readonly answer: Answers[keyof Answers] }
  | { readonly id: number; readonly failure: string }
  /** The revision up to which everything is in the history. */
  | { readonly recorded: number };
