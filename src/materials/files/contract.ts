// The files of a config repo at a revision, and their contents.

export interface RepoFile {
  /** From the root of the repository, with `/` between its parts. */
  readonly path: string;
  /** Files with the same path and the same id have the same content. */
  readonly id: string;
  /** Where the content is: not the path itself when a symbolic link leads there. */
  readonly from: string;
}

/** Something that cannot be read. The message is a sentence for its author, and names the path. */
export interface PathProblem {
  readonly path: string;
  readonly message: string;
}

/** Chooses the wanted ones of these paths. Called as seldom as possible, with many paths at a time. */
export type Choose = (paths: readonly string[]) => Iterable<string> | Promise<Iterable<string>>;

export interface FileChanges {
  /** true: these are all files that are chosen, and nothing that was known before counts any more. */
  readonly isComplete: boolean;
  readonly changed: readonly RepoFile[];
  /** The removed paths that would be chosen; empty when complete. */
  readonly removed: readonly string[];
  /** Chosen but not readable, or a submodule that must not be read. Replaces all that was known of the path. */
  readonly problems: readonly PathProblem[];
  /** Links out of the repository that were not chosen. A user who misses files may have expected them behind one of these. */
  readonly notes: readonly PathProblem[];
  /** To be handed in as `since` the next time. */
  readonly cursor: string;
}

export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** To be closed when it is of no more use. */
export interface RevisionFiles {
  readonly revision: string;
  /** `since`: the cursor of an earlier call; undefined, or of a revision that is not known any more: everything. */
  changes(since: string | undefined, choose: Choose): Promise<FileChanges>;
  /** Each of the files, or why it cannot be read, in no special order. */
  read(files: readonly RepoFile[]): AsyncIterable<FileContent | PathProblem>;
  close(): Promise<void>;
}
