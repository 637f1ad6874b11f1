// One config repo in its cycle: its place in the cycle, its last known state, and the job that works on it.
import type { AddedJob } from '../../kit/concurrency/periodic/periodic.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import { type CycleEvent, type CycleState, type Effect, IDLE, next } from './state.ts';
import type { StatusMessage } from './texts.ts';

export class RepoCycle {
  readonly id: string;
  readonly job: AddedJob;
  #state: CycleState = IDLE;
  #known: RepoState | undefined;
  #abortController = new AbortController();
  #isRequested = false;
  #isResumed = false;
  /** Since when a run is to begin. */
  #dueAt: number | undefined;
  /** Polls that have ended, and of which it is not known yet whether work follows. */
  pollsToFollow = 0;
  /** Why its repository could not be polled the last time. */
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

  /** The state as it is on disk; undefined: the repo was never worked on. */
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
  get wasReadable(): boolean {
    return this.#known !== undefined && this.#known.outcome !== 'unread';
  }

  /** Whether a poll of its repository was requested: then its result is recorded, even when nothing has changed. */
  get isPollRequested(): boolean {
    return this.#state.poll !== 'none' && !this.#isResumed;
  }

  /** Whether the last poll of its repository succeeded, and no requested poll is pending. */
  get isPollCurrent(): boolean {
    return this.#state.poll === 'none' && this.pollFailure === undefined;
  }

  /** Takes an event; returns the effects, which the caller carries out. */
  handle(event: CycleEvent): readonly Effect[] {
    const { state, effects } = next(this.#state, event);
    this.#state = state;
    if (event.type === 'requested') this.#isRequested = true;
    if (event.type === 'requested' || event.type === 'saved') this.#isResumed = false;
    if (event.type === 'resumed') this.#isResumed = true;
    if (effects.includes('abort')) this.#abortController.abort();
    if (effects.includes('enqueue')) this.#dueAt = Date.now();
    return effects;
  }

  /** A requested run was stopped, and the next one takes its place. */
  requestAgain(): void {
    this.#isRequested = true;
  }

  /** A run begins: returns the signal that stops it, and whether it was requested. */
  begin(): { readonly abortSignal: AbortSignal; readonly isRequested: boolean } {
    this.#dueAt = undefined;
    this.#abortController = new AbortController();
    const isRequested = this.#isRequested && this.#state.poll === 'none';
    if (isRequested) this.#isRequested = false;
    return { abortSignal: this.#abortController.signal, isRequested };
  }
}
