// A job of the periodic runner: its work, its times, and the reasons to stop it.

export interface Job {
  readonly name: string;
  readonly when: When;
  /** Jobs of one kind share places: no more of them than that run at a time. */
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
  /** Asked when it comes due: those that are held back never have more than half of the places of their kind. */
  isHeldBack?(): boolean;
  readonly patience?: Patience;
  /**
   * The signal says that the runner stops and waits for this; when its reason is a `KeeperRoleLost`, that another server does it from now
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
  /** How long it may be aside while others wait for that. Twice as long after each stop there, so that every run that can end does. */
  readonly asideMs: number;
}

/** Why a run is stopped that shall be begun again. */
export class GiveWay extends Error {}

/**
 * `every`: so many milliseconds after the end of the last run. A run that comes due during a pause starts after it.
 * `next`: the time of the first run after a given time, undefined for none. A run that comes due during a pause is left out.
 */
export type When = { readonly every: number; readonly firstAfter?: number } | { next(after: number): number | undefined };
