// A job of the periodic runner: what it does, when, and what may stop it.

export interface Job {
  readonly name: string;
  readonly when: When;
  /** Jobs of one kind share places: no more of them than that run at a time. */
  readonly kind?: string;
  /** What there is to tell of it while it runs. */
  readonly details?: Readonly<Record<string, unknown>>;
  /**
   * `keeper`: of several servers only one runs it, which is what is meant if it is not said: it writes for all. `everywhere`: it is about this
   * machine, or about what only this process has in memory.
   */
  readonly where?: 'everywhere' | 'keeper';
  /** Starts also while the runner is paused. */
  readonly runsWhilePaused?: boolean;
  /** Asked when it comes due: those that are held back never have more than half of the places of their kind. */
  isHeldBack?(): boolean;
  readonly patience?: Patience;
  /**
   * The signal says that the runner stops and waits for this; when its reason is a `KeepingStopped`, that another server does it from now
   * on; or, when it is a `GiveWay`, that others want the place.
   */
  run(signal: AbortSignal): unknown;
}

/**
 * How long a run may be in the way of others. Then it goes on aside, where only so many do. One for which there is no room there is stopped when
 * others wait for its place, and begins aside when it is its turn. So does one that took long and is held back.
 */
export interface Patience {
  readonly milliseconds: number;
  /** How long it may be aside while others wait for that. Twice as long after each time that it was stopped there: whatever ends at all gets to its end. */
  readonly asideMs: number;
}

/** Why a run is stopped that shall be begun again. */
export class GiveWay extends Error {}

/**
 * `every`: so many milliseconds after the end of the last run. What comes due during a pause runs after it.
 * `next`: the time of the first run after a given time, undefined for none. What comes due during a pause is left out.
 */
export type When = { readonly every: number; readonly firstAfter?: number } | { next(after: number): number | undefined };
