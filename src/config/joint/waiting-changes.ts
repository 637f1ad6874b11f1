// Changes of config repos that wait may have to come into force along with another change: alone, each of them would be refused.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Finding } from '../check-all.ts';
import type { Draft } from '../draft.ts';

/** A change that is not acceptable, and why. */
export interface Unaccepted {
  readonly draft: Draft;
  readonly findings: readonly Finding[];
}

export interface WaitingChange {
  /** For the history: why it came along. */
  readonly reason: string;
  /** Edits the draft of the change further; false: it cannot come into force like this. */
  applyTo(draft: Draft, pause: Pause): Promise<boolean>;
}

export interface WaitingChanges<C extends WaitingChange = WaitingChange> {
  /** Whether any change waits at all. */
  readonly areThere: boolean;
  /** More than `found`, which was not enough; undefined: no waiting change helps. */
  find(refused: Unaccepted, found: C | undefined): Promise<C | undefined>;
}
