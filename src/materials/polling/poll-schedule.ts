// When one material is polled: by the clock, on request, and less often after failures.
import { isDeepStrictEqual } from 'node:util';
import type { AddedJob } from '../../kit/concurrency/periodic/periodic.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import type { Material } from '../catalogue/material.ts';
import { type Failures, failedAgain, NO_FAILURES, nextPollAt } from './next-poll-time.ts';

/** The answer to a request for a poll. `busy`: the material is being polled already; `unknown`: it is not polled at all. */
export type PollRequestResult = 'scheduled' | 'busy' | 'unknown';

export interface Timing {
  /** How long to wait between polls of a material; undefined: it is polled only on request. */
  readonly intervalMs: number | undefined;
  /** No poll begins before. */
  readonly notBefore: number;
  now(): number;
}

/** The state from before the server was started. */
export interface InitialPollState {
  readonly failures: Failures;
  /** The message of the last poll, if it failed. */
  readonly failure: string | undefined;
  /** Whether the last poll succeeded. */
  readonly hasSucceeded: boolean;
  /** Whether a poll was requested that has never ended. */
  readonly isRequested: boolean;
  /** When a poll ended last, well or not. */
  readonly polledAt: number | undefined;
}

export class PollSchedule {
  readonly #timing: Timing;
  readonly #gone = new AbortController();
  readonly job: AddedJob;
  #material: Material;
  /** The configured values when they were last compared: the material itself changes with the configuration. */
  #configured: ConfiguredForm;
  #isPeriodic: boolean;
  #failures: Failures;
  #failure: string | undefined;
  #hasSucceeded: boolean;
  /** undefined: the material is polled only on request. */
  #dueAt: number | undefined;
  /** When the poll that is under way began. */
  #startedAt: number | undefined;
  /** Another poll must follow the one that is running. */
  #mustRepeat = false;
  /** The next poll to end was requested. */
  #isRequested = false;
  #polledAt: number | undefined;
  #activeAt = 0;
  /** The stored material, kept when the last poll wrote nothing: the next poll need not ask the database. */
  #stored: StoredMaterial | undefined;

  constructor(material: Material, initial: InitialPollState, timing: Timing, addJob: (schedule: PollSchedule) => AddedJob) {
    this.#timing = timing;
    this.#material = material;
    this.#configured = configuredFormOf(material);
    this.#failures = initial.failures;
    this.#failure = initial.failure;
    this.#hasSucceeded = initial.hasSucceeded;
    this.#polledAt = initial.polledAt;
    this.#isRequested = initial.isRequested;
    this.#isPeriodic = this.isPeriodic;
    this.#dueAt = initial.isRequested ? timing.now() : this.#firstPoll();
    this.job = addJob(this);
  }

  get material(): Material {
    return this.#material;
  }

  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** Whether the last poll succeeded. */
  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  /** Whether the last poll failed. Neither holds of a material that was never polled. */
  get hasFailed(): boolean {
    return this.#failures.failedAt !== undefined;
  }

  /** The message of the last poll, if it failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether it is polled at intervals, without a request. */
  get isPeriodic(): boolean {
    return this.#material.autoUpdate && this.#timing.intervalMs !== undefined;
  }

  /** Whether it is being polled. */
  get isRunning(): boolean {
    return this.#startedAt !== undefined;
  }

  /** When the poll that is under way began. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  /** When a poll ended last, well or not. */
  get polledAt(): number | undefined {
    return this.#polledAt;
  }

  /** Whether it will be polled as soon as it is its turn. */
  get isDue(): boolean {
    return this.#dueAt !== undefined && this.#dueAt <= this.#timing.now();
  }

  /** How long the poll that is under way has shown no activity. */
  get silentMs(): number {
    return this.isRunning ? this.#timing.now() - this.#activeAt : 0;
  }

  /** Aborts when the material is no longer watched. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Takes over the material as it is configured now. Returns whether its configured values have changed. */
  update(material: Material): boolean {
    const wasPeriodic = this.#isPeriodic;
    const before = this.#configured;
    this.#material = material;
    this.#configured = configuredFormOf(material);
    this.#isPeriodic = this.isPeriodic;
    if (!this.isRunning && wasPeriodic !== this.#isPeriodic) this.#setDue(this.#firstPoll());
    const isChanged = !isDeepStrictEqual(before, this.#configured);
    if (isChanged) this.retry();
    return isChanged;
  }

  /** A user may have corrected the problem: a material that is polled by the clock does not wait for its next time. */
  retry(): void {
    if (!this.#isPeriodic) return;
    if (this.isRunning) this.#mustRepeat = true;
    else if (this.hasFailed && !this.isDue) this.#setDue(this.#timing.now());
  }

  /** Asks for a poll now, whatever happened before. */
  requestPoll(): PollRequestResult {
    const { autoUpdate } = this.#material;
    this.#isRequested = true;
    if (this.isRunning) {
      // A material that is only polled on request must not miss a change that came after the running poll began.
      if (autoUpdate) return 'busy';
      this.#mustRepeat = true;
      return 'scheduled';
    }
    // A material that already waits for a slot must keep its place in the queue.
    if (this.isDue) return 'scheduled';
    this.#setDue(this.#timing.now());
    return 'scheduled';
  }

  begin(): void {
    this.#startedAt = this.#timing.now();
    this.#mustRepeat = false;
    this.noteActivity();
  }

  /** The stored material, if nothing else can have been written since it was kept. */
  takeStored(): StoredMaterial | undefined {
    const stored = this.#stored;
    this.#stored = undefined;
    return stored;
  }

  /** After a poll that has written nothing. */
  keepStored(stored: StoredMaterial): void {
    this.#stored = stored;
  }

  noteActivity(): void {
    this.#activeAt = this.#timing.now();
  }

  noteSuccess(): void {
    this.#polledAt = this.#timing.now();
    this.#failures = NO_FAILURES;
    this.#failure = undefined;
    this.#hasSucceeded = true;
  }

  noteFailure(failure: string): void {
    this.#polledAt = this.#timing.now();
    this.#failure = failure;
    this.#failures = failedAgain(this.#failures, this.#timing.now());
    this.#hasSucceeded = false;
  }

  /** Returns whether this poll was requested. */
  end(): boolean {
    const wasRequested = this.#isRequested;
    this.#isRequested = this.#mustRepeat;
    this.#startedAt = undefined;
    if (this.#mustRepeat) this.#dueAt = this.#timing.now();
    else this.#dueAt = this.isPeriodic ? nextPollAt(this.#timing.now(), this.#failures, this.#timing.intervalMs!) : undefined;
    return wasRequested;
  }

  /** The poll was stopped because others wanted its place, or shall do it: it stays due. */
  postpone(): void {
    this.#startedAt = undefined;
    this.#dueAt = this.#timing.now();
  }

  /** The material is no longer watched: aborts a poll that is under way. */
  stopWatching(): void {
    this.#gone.abort();
  }

  #setDue(time: number | undefined): void {
    this.#dueAt = time;
    this.job.refresh();
  }

  /** Soon, also after failures: the administrator who restarts the server may have corrected the problem. */
  #firstPoll(): number | undefined {
    return this.isPeriodic ? Math.max(this.#timing.now(), this.#timing.notBefore) : undefined;
  }
}

/** The values of a material as users have configured them. */
type ConfiguredForm = Pick<Material, 'written' | 'definition'>;

function configuredFormOf({ written, definition }: Material): ConfiguredForm {
  return { written, definition };
}
