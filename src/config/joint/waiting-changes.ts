// What others wait with may have to come into force along with a change: alone it would be refused, and so would they.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Finding } from '../check-all.ts';
import type { Draft } from '../draft.ts';

/** A change that is not acceptable, and why. */
export interface Unaccepted {
  readonly draft: Draft;
  readonly findings: readonly Finding[];
}

export interface WaitingChange {
  /** Tells in the history why it came along. */
  readonly reason: string;
  /** Edits the draft of the change further; false: it cannot come into force like this. */
  place(draft: Draft, pause: Pause): Promise<boolean>;
}

export interface WaitingChanges<C extends WaitingChange = WaitingChange> {
  /** Whether anybody waits at all. */
  readonly areThere: boolean;
  /** More than the one that was not enough; undefined: nobody can help. */
  find(refused: Unaccepted, sofar: C | undefined): Promise<C | undefined>;
}
