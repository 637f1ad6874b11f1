// The interface of one kind of repository to the files of a revision; everything else is the same for all.
import type { PathProblem } from './contract.ts';

/** A file, or a symbolic link, whose content is where it leads to. */
export interface Entry {
  readonly path: string;
  /** Entries with the same path and the same id have the same content. */
  readonly id: string;
  readonly kind: 'file' | 'link';
}

export interface RefusedPath extends PathProblem {
  readonly kind: 'refused';
}

export interface Difference {
  readonly changed: readonly Entry[];
  readonly removed: readonly string[];
}

export interface Content {
  /** The path of the entry. */
  readonly path: string;
  readonly size: number;
  /** undefined: the file is larger than was asked for. */
  readonly bytes?: Uint8Array;
}

export interface FileSource {
  readonly revision: string;
  /** All entries, in no particular order. */
  all(): AsyncIterable<readonly (Entry | RefusedPath)[]>;
  /** undefined: the revision is unknown, and everything has to be listed. */
  since(revision: string): Promise<Difference | undefined>;
  /** In no special order. A file that is too large is yielded before it is read, so that the caller can stop there. */
  contents(entries: readonly Pick<Entry, 'path' | 'id'>[], maxBytes: number): AsyncIterable<Content>;
  /** Whether something was repaired, so that it makes sense to try again. */
  repair?(failure: unknown): Promise<boolean>;
  close?(): Promise<void>;
}

/** The receiver may transfer the bytes to another thread, which detaches them here: of several receivers, all but the last get a copy. */
export function ownBytes(bytes: Uint8Array, index: number, all: readonly unknown[]): Uint8Array {
  return index === all.length - 1 ? bytes : bytes.slice();
}
