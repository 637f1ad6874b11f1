// Changes of config repos that wait because they were refused: joined to another change, they and that change may be accepted.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Finding } from '../check-all.ts';
import type { Draft } from '../draft.ts';

/** A draft that is not acceptable, and why. */
export interface RefusedDraft {
  readonly draft: Draft;
  readonly findings: readonly Finding[];
}

export interface JoinableChange {
  /** For the history: why it was joined to the other change. */
  readonly reason: string;
  /** Edits the draft of the other change further; false: this change cannot take effect like this. */
  applyTo(draft: Draft, pause: Pause): Promise<boolean>;
}

export interface JoinableChanges<C extends JoinableChange = JoinableChange> {
  /** Whether there is any change that waits. */
  readonly hasAny: boolean;
  /** Finds more than `found`, which was not enough. Undefined: no waiting change helps. */
  find(refused: RefusedDraft, found: C | undefined): Promise<C | undefined>;
}
