// Background work belongs to one server at a time, the keeper: the server that has the lease does it, and stops before another can have it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Lease } from '../../store/lease.ts';

interface Parts {
  /** Takes the lease, or has it for longer; undefined: another server has it. */
  take(milliseconds: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;
  /** Begins the work; its writes succeed only as long as the lease is held. */
  start(): Promise<void>;
  /** Ends it, and returns when nothing of it goes on. */
  stop(): Promise<void>;
  onChanged(isKeeper: boolean): void;
  onFailure(failure: unknown, message: string): void;
}

export const KEEPER = 'keeper';
const LEASE_MS = 5000;
const RENEW_EVERY_MS = 1000;
/** The clock of this machine may be slower than that of the database, and asking takes time. */
const MARGIN_MS = 1000;

export class Keeper {
  readonly #parts: Parts;
  #lease: Lease | undefined;
  /** By the clock of this process: later nothing may be relied on. */
  #heldUntil = 0;
  #isWorking = false;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The lease that is held at the moment, for the writes of the work. */
  get lease(): Lease | undefined {
    return performance.now() < this.#heldUntil ? this.#lease : undefined;
  }

  get isKeeper(): boolean {
    return this.#isWorking && this.lease !== undefined;
  }

  /** Returns when it is known whether this server has the lease. */
  async start(): Promise<void> {
    await this.#renew();
    this.#loop ??= this.#again();
  }

  /** Lets another server go on at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#endWork();
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease)
      await this.#parts.release(lease).catch((failure: unknown) => this.#parts.onFailure(failure, 'the lease could not be released'));
  }

  async #again(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await delay(RENEW_EVERY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {}); // it stops
      if (!this.#stopping.signal.aborted) await this.#renew();
    }
  }

  async #renew(): Promise<void> {
    const requestedAt = performance.now();
    try {
      const lease = await this.#parts.take(LEASE_MS);
      if (lease) this.#heldUntil = requestedAt + LEASE_MS - MARGIN_MS;
      if (lease?.epoch !== this.#lease?.epoch) await this.#endWork();
      this.#lease = lease;
    } catch (failure) {
      if (!this.lease) await this.#endWork();
      if (this.#isWorking) this.#parts.onFailure(failure, 'the lease of the keeper could not be renewed');
    }
    if (this.lease && !this.#isWorking) await this.#beginWork();
  }

  async #beginWork(): Promise<void> {
    try {
      this.#isWorking = true;
      await this.#parts.start();
      this.#parts.onChanged(true);
    } catch (failure) {
      this.#parts.onFailure(failure, 'background work could not be begun');
      await this.#endWork();
    }
  }

  async #endWork(): Promise<void> {
    if (!this.#isWorking) return;
    this.#isWorking = false;
    this.#parts.onChanged(false);
    await this.#parts.stop().catch((failure: unknown) => this.#parts.onFailure(failure, 'background work could not be ended'));
  }
}
