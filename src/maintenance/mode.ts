// Maintenance mode: nothing is begun and nothing is changed while administrators work on the server.

import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import type { AddedJob, PeriodicRunner } from '../kit/concurrency/periodic/periodic.ts';
import { Refusal } from '../kit/refusal.ts';
import { endOf, isOver, type Order, type Period, retryAfter } from './period.ts';
import type { StoredPeriod } from './stored-period.ts';

export const ALREADY_ON = 'Failed to enable server maintenance mode. Server is already in maintenance mode.';
export const NOT_ON = 'Failed to disable server maintenance mode. Server is not in maintenance mode.';
/** The actor where the server switches it by itself. */
const THE_SERVER = 'Slipway';

export interface MaintenanceParts {
  readonly stored: StoredPeriod;
  readonly runner: PeriodicRunner;
  readonly now?: () => number;
  /** It has been switched on or off; a server that goes on with it switches nothing. */
  onSwitched?(switched: Switched): void;
  /** It has ended by itself. */
  onEnded(period: Period): unknown;
  onFailure(failure: unknown): void;
}

export interface Switched {
  readonly isOn: boolean;
  readonly by: string;
  readonly reason: string | null;
  readonly until: string | null;
}

export interface LastChange {
  readonly by: string;
  readonly at: string;
}

export class MaintenanceMode {
  /** A plain field: every write looks at it. */
  isOn = false;
  lastChange: LastChange | undefined;
  readonly #parts: MaintenanceParts;
  readonly #end: AddedJob;
  readonly #mutex = new KeyedMutex();
  readonly #listeners: (() => void)[] = [];
  #period: Period | undefined;

  private constructor(parts: MaintenanceParts) {
    this.#parts = parts;
    this.#end = parts.runner.add({
      name: 'end of maintenance mode',
      when: { next: () => this.#period && endOf(this.#period) },
      where: 'keeper', // it ends for all servers at once, and that is reported once
      runsWhilePaused: true,
      run: () => this.#endIfDue(),
    });
  }

  static async load(parts: MaintenanceParts, { startsOn }: { readonly startsOn: boolean }): Promise<MaintenanceMode> {
    const mode = new MaintenanceMode(parts);
    const stored = await parts.stored.read();
    if (stored) {
      mode.#switchOn(stored);
      await mode.#endIfDue();
    }
    if (startsOn && !mode.isOn) await mode.enable({ by: THE_SERVER, reason: null, until: null, survivesRestart: false });
    return mode;
  }

  /** Another server may have switched it. */
  async reload(): Promise<void> {
    const stored = await this.#parts.stored.read();
    if (stored?.since === this.#period?.since) return;
    if (stored) this.#switchOn(stored);
    else if (this.#period) this.#switchOffHere(this.#period.by);
  }

  /** Called whenever it has been switched, by whichever server. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The period that is on. */
  get period(): Period | undefined {
    return this.#period;
  }

  enable(order: Order, { isDryRun = false } = {}): Promise<void> {
    return this.#serially(async () => {
      if (this.isOn) throw new Refusal('conflict', ALREADY_ON);
      if (isDryRun) return;
      const period = this.#begin(order);
      if (this.#isStored(period)) await this.#parts.stored.write(period);
      this.#switchOnAnew(period);
    });
  }

  disable(by: string, { isDryRun = false } = {}): Promise<void> {
    return this.#serially(async () => {
      if (!this.#period) throw new Refusal('conflict', NOT_ON);
      if (!isDryRun) await this.#switchOff(this.#period, by);
    });
  }

  #endIfDue(): Promise<void> {
    return this.#serially(async () => {
      const period = this.#period;
      if (!period || !isOver(period, this.#now())) return;
      await this.#switchOff(period, THE_SERVER);
      await Promise.try(() => this.#parts.onEnded(period)).catch(this.#parts.onFailure);
    });
  }

  #begin(order: Order): Period {
    return { ...order, since: this.#time() };
  }

  #switchOnAnew(period: Period): void {
    this.#switchOn(period);
    const { by, reason, until } = period;
    this.#parts.onSwitched?.({ isOn: true, by, reason, until });
  }

  #switchOn(period: Period): void {
    this.#period = period;
    this.isOn = true;
    this.lastChange = { by: period.by, at: period.since };
    this.#parts.runner.pause();
    this.#end.refresh();
    for (const listener of this.#listeners) listener();
  }

  #isStored({ survivesRestart }: Period): boolean {
    return survivesRestart || this.#parts.stored.isShared;
  }

  #switchOffHere(by: string): void {
    this.#period = undefined;
    this.isOn = false;
    this.lastChange = { by, at: this.#time() };
    this.#parts.runner.resume();
    this.#end.refresh();
    for (const listener of this.#listeners) listener();
  }

  async #switchOff(period: Period, by: string): Promise<void> {
    if (this.#isStored(period)) await this.#parts.stored.clear();
    this.#switchOffHere(by);
    this.#parts.onSwitched?.({ isOn: false, by, reason: null, until: null });
  }

  /** One change after the other: of two concurrent ones, the second sees the result of the first. */
  #serially<T>(change: () => Promise<T>): Promise<T> {
    return this.#parts.stored.serialized(() => this.#mutex.run('', change));
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now();
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** Why the server is not ready for requests, and after how many seconds to look again. */
export function readinessObstacle({ period }: MaintenanceMode, now = Date.now()) {
  return period && { reason: 'The server is in maintenance mode.', retryAfter: retryAfter(period, now) };
}
