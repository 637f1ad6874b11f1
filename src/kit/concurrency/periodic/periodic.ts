// The one runner of work that comes again and again: never twice at once, so much at a time, and not while it is paused.
// Work that only one of several servers may do runs between `startKeeperJobs` and `stopKeeperJobs`.
import { type Clock, SYSTEM_CLOCK } from '../clock.ts';
import { backOffMs } from '../retry/exponential-back-off.ts';
import { type Job, Preempted, type When } from './job.ts';
import { JobLanes, type Lane } from './job-lanes.ts';
import { KeeperRoleLost } from './keeper.ts';

export interface RunnerParts {
  readonly clock?: Clock;
  /** How many jobs of a kind run at a time. */
  readonly slots?: Readonly<Record<string, number>>;
  onFailure(name: string, failure: unknown, failuresInARow: number): void;
  /** Runs a job of a kind, for example inside a trace. */
  around?(kind: string, run: () => Promise<unknown>): Promise<unknown>;
}

export interface RunningJob {
  readonly name: string;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly runsWhilePaused: boolean;
  readonly startedAt: number;
}

export interface AddedJob {
  /** Asks `next` again, for a job whose time has changed. */
  refresh(): void;
  /** It does not start any more; returns when a run that is under way has ended. */
  remove(): Promise<void>;
}

interface Entry {
  readonly job: Job;
  readonly kind: Kind;
  cancel: () => void;
  failuresInARow: number;
  startedAt: number;
  run: Promise<void> | undefined;
  /** Whether the last run took longer than others can wait; `preempted`: and was stopped for that. */
  slowness: 'none' | 'slow' | 'preempted';
  /** How often in a row it was preempted although it was in the overflow. */
  stopsInOverflow: number;
  isRemoved: boolean;
}

interface Kind {
  readonly name: string;
  readonly lanes: JobLanes<Entry>;
}

const COMMON_KIND = 'upkeep';
const DEFAULT_SLOTS = 4;
const BACK_OFF = { firstMs: 1000, maxMs: 5 * 60_000 };
/** Clocks are adjusted and machines sleep: a job that waits for a time of day looks at the clock now and then. */
const MAX_SLEEP_MS = 60_000;

export class PeriodicRunner {
  readonly #clock: Clock;
  readonly #parts: RunnerParts;
  readonly #entries = new Set<Entry>();
  readonly #kinds = new Map<string, Kind>();
  readonly #stopping = new AbortController();
  /** Aborted while this server is not the keeper. */
  #keeperRole = new AbortController();
  #isPaused = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? SYSTEM_CLOCK;
    this.#keeperRole.abort();
  }

  add(job: Job): AddedJob {
    const kind = this.#kindNamed(job.kind ?? COMMON_KIND);
    const entry: Entry = {
      job,
      kind,
      cancel: () => {},
      failuresInARow: 0,
      startedAt: 0,
      run: undefined,
      slowness: 'none',
      stopsInOverflow: 0,
      isRemoved: false,
    };
    this.#entries.add(entry);
    this.#schedule(entry, firstDelay(job.when));
    return {
      refresh: () => {
        if (entry.run === undefined && !('every' in job.when)) this.#schedule(entry);
      },
      remove: async () => {
        this.#forget(entry);
        await entry.run;
      },
    };
  }

  /** From now on this server is the keeper: its jobs begin as if they had just been added. */
  startKeeperJobs(): void {
    if (!this.#keeperRole.signal.aborted || this.#stopping.signal.aborted) return;
    this.#keeperRole = new AbortController();
    for (const entry of this.#entries) {
      if (isEverywhere(entry)) continue;
      entry.failuresInARow = 0;
      entry.slowness = 'none';
      entry.stopsInOverflow = 0;
      if (entry.run === undefined) this.#schedule(entry, firstDelay(entry.job.when));
    }
  }

  /** Returns when no job of the keeper runs any more; none starts until the next `startKeeperJobs`. */
  async stopKeeperJobs(): Promise<void> {
    const entries = [...this.#entries].filter((entry) => !isEverywhere(entry));
    this.#keeperRole.abort(new KeeperRoleLost());
    for (const entry of entries) this.#unschedule(entry);
    await Promise.all(entries.map(({ run }) => run));
  }

  /** Running jobs go on. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const kind of this.#kinds.values()) {
      const now = this.#clock.now();
      for (const entry of kind.lanes.waiting) {
        const { when } = entry.job;
        // A job whose time is still in the past has waited for this.
        if (!('every' in when) && (when.next(now) ?? Number.POSITIVE_INFINITY) > now) this.#schedule(entry);
      }
      this.#startWaiting(kind);
    }
  }

  running(): RunningJob[] {
    return [...this.#entries]
      .filter(({ run }) => run !== undefined)
      .map(({ job: { name, details = {}, runsWhilePaused = false }, kind, startedAt }) => ({
        name,
        kind: kind.name,
        details,
        runsWhilePaused,
        startedAt,
      }));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#keeperRole.abort(this.#stopping.signal.reason);
    const runs = [...this.#entries].map(({ run }) => run);
    for (const entry of this.#entries) this.#forget(entry);
    await Promise.all(runs);
  }

  #kindNamed(name: string): Kind {
    return this.#kinds.getOrInsertComputed(name, () => ({
      name,
      lanes: new JobLanes(this.#parts.slots?.[name] ?? DEFAULT_SLOTS),
    }));
  }

  #forget(entry: Entry): void {
    entry.isRemoved = true;
    this.#unschedule(entry);
    if (entry.run === undefined) this.#entries.delete(entry);
  }

  #unschedule(entry: Entry): void {
    entry.cancel();
    entry.kind.lanes.leave(entry);
  }

  /** Plans the next run: after `delay` at the earliest, and by its clock or calendar. */
  #schedule(entry: Entry, delay = 0): void {
    const { when } = entry.job;
    this.#unschedule(entry);
    if (entry.isRemoved || this.#signalFor(entry).aborted) return;
    if ('every' in when) {
      entry.cancel = this.#clock.after(delay, () => this.#comeDue(entry));
      return;
    }
    const now = this.#clock.now();
    const next = when.next(now);
    if (next !== undefined) this.#sleepUntil(entry, Math.max(next, now + delay));
  }

  /** Says until when it may run. */
  #signalFor(entry: Entry): AbortSignal {
    return (isEverywhere(entry) ? this.#stopping : this.#keeperRole).signal;
  }

  #sleepUntil(entry: Entry, time: number): void {
    const left = time - this.#clock.now();
    if (left <= 0) {
      entry.cancel = this.#clock.after(0, () => this.#comeDue(entry));
      return;
    }
    entry.cancel = this.#clock.after(Math.min(left, MAX_SLEEP_MS), () => {
      if (this.#clock.now() >= time) this.#comeDue(entry);
      else this.#sleepUntil(entry, time);
    });
  }

  #comeDue(entry: Entry): void {
    entry.kind.lanes.wait(entry, laneOf(entry));
    this.#startWaiting(entry.kind);
  }

  #startWaiting(kind: Kind): void {
    for (let entry = kind.lanes.next(this.#isPaused); entry; entry = kind.lanes.next(this.#isPaused)) {
      entry.startedAt = this.#clock.now();
      entry.run = this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    const { job, kind } = entry;
    const { signal, end } = this.#watched(entry);
    try {
      const run = () => Promise.try(() => job.run(signal));
      await (this.#parts.around?.(kind.name, run) ?? run());
      entry.failuresInARow = 0;
    } catch (failure) {
      this.#noteFailure(entry, failure);
    }
    end();
    if (entry.slowness !== 'preempted') entry.stopsInOverflow = 0;
    kind.lanes.release(entry);
    entry.run = undefined;
    if (entry.isRemoved) this.#entries.delete(entry);
    else this.#schedule(entry, delayAfter(job.when, entry.failuresInARow));
    this.#startWaiting(kind);
  }

  #noteFailure(entry: Entry, failure: unknown): void {
    // To end when asked to is none.
    if (failure instanceof KeeperRoleLost) return;
    entry.failuresInARow++;
    this.#parts.onFailure(entry.job.name, failure, entry.failuresInARow);
  }

  /** Sees to it that a run that takes long is not in the way of others. */
  #watched(entry: Entry): { readonly signal: AbortSignal; end(): void } {
    const { job, kind } = entry;
    const { slowRunPolicy } = job;
    entry.slowness = 'none';
    const stopping = this.#signalFor(entry);
    if (!slowRunPolicy) return { signal: stopping, end: () => {} };
    const preemption = new AbortController();
    let overflowUntil: number | undefined;
    const checkAgain = () => this.#clock.after(slowRunPolicy.slowAfterMs, check);
    const check = () => {
      entry.slowness = 'slow';
      const isInOverflow = kind.lanes.moveToOverflow(entry);
      if (isInOverflow && overflowUntil === undefined) {
        overflowUntil = this.#clock.now() + slowRunPolicy.overflowMs * 2 ** entry.stopsInOverflow;
        this.#startWaiting(kind);
      }
      const mayStay = overflowUntil !== undefined && this.#clock.now() < overflowUntil;
      if (mayStay || !kind.lanes.preempt(entry, this.#isPaused)) {
        cancel = checkAgain();
        return;
      }
      entry.slowness = 'preempted';
      if (isInOverflow) entry.stopsInOverflow++;
      preemption.abort(new Preempted());
    };
    let cancel = checkAgain();
    return { signal: AbortSignal.any([stopping, preemption.signal]), end: () => cancel() };
  }
}

function isEverywhere({ job }: Entry): boolean {
  return job.where === 'everywhere';
}

function firstDelay(when: When): number {
  return 'every' in when ? (when.firstAfter ?? when.every) : 0;
}

function laneOf({ job, slowness }: Entry): Lane {
  if (job.runsWhilePaused) return 'always';
  const isHeldBack = job.isHeldBack?.() ?? false;
  if (slowness === 'preempted' || (slowness === 'slow' && isHeldBack)) return 'overflow';
  return isHeldBack ? 'held back' : 'normal';
}

/** How long a job waits at least after it has failed this many times in a row. */
export function delayAfter(when: When, failuresInARow: number): number {
  const interval = 'every' in when ? when.every : 0;
  if (failuresInARow === 0) return interval;
  return Math.max(interval, backOffMs(BACK_OFF, failuresInARow));
}
