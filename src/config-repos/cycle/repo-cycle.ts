// One config repo in its cycle: its place in the cycle, its last known state, and the job that works on it.
import type { AddedJob } from '../../kit/concurrency/periodic.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import { type CycleEvent, type CycleState, type Effect, IDLE, next } from './state.ts';
import type { StatusMessage } from './texts.ts';

export class RepoCycle {
  readonly id: string;
  readonly job: AddedJob;
  #state: CycleState = IDLE;
  #known: RepoState | undefined;
  #cutting = new AbortController();
  #isAskedFor = false;
  #isTakenUp = false;
  /** Since when a run is to begin. */
  #dueAt: number | undefined;
  /** Why its repository could not be looked at the last time. */
  pollFailure: StatusMessage | undefined;
  /** The entry of that in its history, which may be on its way to the disk. */
  recordedPoll: Promise<void> = Promise.resolve();

  constructor(id: string, known: RepoState | undefined, addJob: (cycle: RepoCycle) => AddedJob) {
    this.id = id;
    this.#known = known;
    this.job = addJob(this);
  }

  get state(): CycleState {
    return this.#state;
  }

  /** As it is on disk; undefined: nothing was ever worked on. */
  get known(): RepoState | undefined {
    return this.#known;
  }

  set known(state: RepoState) {
    this.#known = state;
  }

  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** Whether its files could be read the last time. */
  get isProven(): boolean {
    return this.#known !== undefined && this.#known.outcome !== 'unread';
  }

  /** Whether a poll of its repository was requested: then its result is recorded, even when that is no news. */
  get isPollRequested(): boolean {
    return this.#state.look !== 'none' && !this.#isTakenUp;
  }

  /** Whether the last poll of its repository succeeded, and no requested poll is pending. */
  get isPollCurrent(): boolean {
    return this.#state.look === 'none' && this.pollFailure === undefined;
  }

  /** Takes an event; returns the effects, which the caller carries out. */
  feed(event: CycleEvent): readonly Effect[] {
    const { state, effects } = next(this.#state, event);
    this.#state = state;
    if (event.type === 'asked') this.#isAskedFor = true;
    if (event.type === 'asked' || event.type === 'saved') this.#isTakenUp = false;
    if (event.type === 'taken up') this.#isTakenUp = true;
    if (effects.includes('cut')) this.#cutting.abort();
    if (effects.includes('line up')) this.#dueAt = Date.now();
    return effects;
  }

  /** A requested run was stopped, and the next one takes its place. */
  askAgain(): void {
    this.#isAskedFor = true;
  }

  /** A run begins: returns the signal that stops it, and whether it was requested. */
  begin(): { readonly cut: AbortSignal; readonly isAskedFor: boolean } {
    this.#dueAt = undefined;
    this.#cutting = new AbortController();
    const isAskedFor = this.#isAskedFor && this.#state.look === 'none';
    if (isAskedFor) this.#isAskedFor = false;
    return { cut: this.#cutting.signal, isAskedFor };
  }
}
