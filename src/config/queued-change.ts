// Changes on their way to the disk: queued, or accepted and not yet written.
import type { CompiledQuery } from 'kysely';
import type { ChangeTiming } from './change-timing.ts';
import type { Draft } from './draft.ts';
import type { Author, Revision } from './revision.ts';

/** A change whose caller waits for its result. */
export interface QueuedChange {
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
  readonly queued: QueuedChange;
  readonly result: unknown;
  readonly revision: Revision | undefined;
}

/** An accepted large change. */
export interface DecidedLargeChange<T> {
  readonly draft: Draft;
  readonly result: T;
  /** Why other changes were joined to it. */
  readonly reason: string | null;
  readonly isDryRun: boolean;
}
