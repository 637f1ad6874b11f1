// Changes on their way: waiting for their turn, or found good and not yet on disk.
import type { CompiledQuery } from 'kysely';
import type { ChangeTiming } from './change-timing.ts';
import type { Draft } from './draft.ts';
import type { Author, Revision } from './revision.ts';

/** A change whose caller waits for its result. */
export interface WaitingChange {
  readonly author: Author;
  readonly isDryRun: boolean;
  readonly extraStatements: readonly CompiledQuery[];
  readonly decide: (draft: Draft) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (failure: unknown) => void;
  readonly timing: ChangeTiming | undefined;
}

/** An accepted change, with the result that its caller gets once it is on disk. */
export interface DecidedChange {
  readonly waiting: WaitingChange;
  readonly result: unknown;
  readonly revision: Revision | undefined;
}

/** An accepted large change. */
export interface DecidedLargeChange<T> {
  readonly draft: Draft;
  readonly result: T;
  /** Of the waiting changes that came along with it. */
  readonly reason: string | null;
  readonly isDryRun: boolean;
}
