// Timers of pipelines: Quartz expressions in the time zone of the server. Firings missed while the engine was stopped or paused are not made up for.
import { nextFiring } from '../../kit/cron/next.ts';
import { parseCron } from '../../kit/cron/parse.ts';
import { keyOfName } from '../configured.ts';

/** One that comes later than this was missed: in maintenance mode, or while the machine slept. */
const MAX_LATENESS_MS = 60_000;

export interface TimedPipeline {
  readonly name: string;
  readonly timer: { readonly spec: string; readonly onlyOnChanges: boolean } | null;
}

interface TimerState {
  readonly name: string;
  readonly spec: string;
  readonly onlyOnChanges: boolean;
  dueAt: number | undefined;
}

export interface DueTimer {
  readonly pipeline: string;
  readonly instant: number;
  readonly onlyOnChanges: boolean;
}

export class Timers {
  readonly #timed = new Map<string, TimerState>();
  readonly #zone: () => string;

  constructor(zone: () => string) {
    this.#zone = zone;
  }

  /** To be called for each pipeline at the start, and for each that has changed. */
  set({ name, timer }: TimedPipeline, now: number): void {
    const key = keyOfName(name);
    const spec = timer?.spec.trim() ?? '';
    if (spec === '') {
      this.#timed.delete(key);
      return;
    }
    const onlyOnChanges = timer?.onlyOnChanges ?? false;
    const before = this.#timed.get(key);
    const dueAt = before?.spec === spec ? before.dueAt : this.#next(spec, now);
    this.#timed.set(key, { name, spec, onlyOnChanges, dueAt });
  }

  remove(name: string): void {
    this.#timed.delete(keyOfName(name));
  }

  clear(): void {
    this.#timed.clear();
  }

  get nextAt(): number | undefined {
    let next: number | undefined;
    for (const { dueAt } of this.#timed.values()) if (dueAt !== undefined && (next === undefined || dueAt < next)) next = dueAt;
    return next;
  }

  /** The timers that are due and not missed, each once; from now on their next time counts. */
  takeDue(now: number): DueTimer[] {
    const due: DueTimer[] = [];
    for (const timed of this.#timed.values()) {
      if (timed.dueAt === undefined || timed.dueAt > now) continue;
      if (now - timed.dueAt <= MAX_LATENESS_MS)
        due.push({ pipeline: timed.name, instant: timed.dueAt, onlyOnChanges: timed.onlyOnChanges });
      timed.dueAt = this.#next(timed.spec, now);
    }
    return due;
  }

  #next(spec: string, after: number): number | undefined {
    const cron = parseCron(spec);
    return cron.ok ? nextFiring(cron.schedule, new Date(after), this.#zone())?.getTime() : undefined;
  }
}
