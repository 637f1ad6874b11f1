// A job of the periodic runner: its work, its times, and the reasons to stop it.

export interface Job {
  readonly name: string;
  readonly when: When;
  /** Jobs of one kind share slots: no more of them than that run at a time. */
  readonly kind?: string;
  /** Details to show while it runs. */
  readonly details?: Readonly<Record<string, unknown>>;
  /**
   * `keeper`, the default: of several servers only one runs it, because it writes for all. `everywhere`: it is about this
   * machine, or about data that only this process has in memory.
   */
  readonly where?: 'everywhere' | 'keeper';
  /** Starts also while the runner is paused. */
  readonly runsWhilePaused?: boolean;
  /** Asked when it comes due: those that are held back never have more than half of the slots of their kind. */
  isHeldBack?(): boolean;
  readonly slowRunPolicy?: SlowRunPolicy;
  /**
   * The signal says that the runner stops and waits for this; when its reason is a `KeeperRoleLost`, that another server does it from now
   * on; or, when it is a `Preempted`, that others want the slot.
   */
  run(signal: AbortSignal): unknown;
}

/**
 * How long a run may be in the way of others. Then it is slow, and goes on in the overflow, which has a number of slots of its own. If
 * there is none, the run is preempted when others wait for its slot, and begins again in the overflow when it is its turn. A job that is
 * held back and whose last run was slow begins there, too.
 */
export interface SlowRunPolicy {
  readonly slowAfterMs: number;
  /** How long it may be in the overflow while others wait for that. Doubled by each preemption there, so that every run can end. */
  readonly overflowMs: number;
}

/** Why a run is stopped that shall be begun again: others wait for its slot. */
export class Preempted extends Error {}

/**
 * `every`: so many milliseconds after the end of the last run. A run that comes due during a pause starts after it.
 * `next`: the time of the first run after a given time, undefined for none. A run that comes due during a pause is left out.
 */
export type When = { readonly every: number; readonly firstAfter?: number } | { next(after: number): number | undefined };
