// A commit that is there to be read.
import type { Git } from '../git.ts';

export interface Commit {
  readonly git: Git;
  /** The bare repository it is in. */
  readonly directory: string;
  readonly revision: string;
  /** The path of its files in the outermost repository; empty, or ending with a slash. */
  readonly prefix: string;
  /** Number of repositories that it is nested in as a submodule. */
  readonly depth: number;
}
