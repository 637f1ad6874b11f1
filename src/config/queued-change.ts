// Changes on their way to the disk: queued, or accepted and not yet written.
import type { CompiledQuery } from 'kysely';
import type { ChangeTiming } from './change-timing.ts';
import type { Draft } from './draft.ts';
import type { Author, Revision } from './revision.ts';

/** Gives the caller of a change its result. */
export type Deliver = () => void;

/** A change whose caller waits for its result. */
export interface QueuedChange {
  readonly author: Author;
  readonly isDryRun: boolean;
  readonly extraStatements: readonly CompiledQuery[];
  readonly decide: (draft: Draft) => Deliver;
  readonly reject: (failure: unknown) => void;
  readonly timing: ChangeTiming | undefined;
}

/** An accepted change, whose caller gets its result once it is on disk. */
export interface DecidedChange {
  readonly queued: QueuedChange;
  readonly deliver: Deliver;
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

/** A decision whose result goes to `resolve`. */
export function delivering<T>(decide: (draft: Draft) => T, resolve: (result: T) => void): (draft: Draft) => Deliver {
  return (draft) => {
    const result = decide(draft);
    return () => resolve(result);
  };
}
