// Runs that people and timers ask for: kept on disk from the moment they are accepted until they are scheduled or cannot be.
import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import type { BuildState } from '../build-state.ts';
import { type BuildConfig, keyOfName } from '../configured.ts';
import { readRequest, requestText, type TriggerRequest } from './trigger-request.ts';
import type { Outcome, Triggers } from './triggers.ts';

export interface RequestedRunsParts {
  readonly state: BuildState;
  readonly config: Pick<BuildConfig, 'find'>;
  readonly triggers: Triggers;
  /** Returns the failures, when the config repo has read what was found. Rejects when the signal says so. */
  poll(fingerprints: readonly string[], signal: AbortSignal, configRepo?: string): Promise<readonly string[]>;
  /** undefined: it could. */
  couldNotTrigger(pipeline: string, reason: string | undefined): void;
  /** No request for it waits any more: changes that its polls have found may set the pipeline off. */
  wake(pipeline: string): void;
  onFailure(failure: unknown): void;
}

export class RequestedRuns {
  readonly #parts: RequestedRunsParts;
  readonly #waiting = new Map<string, { readonly name: string; readonly request: TriggerRequest }>();
  /** The pipelines whose requests came to their turn in maintenance mode, by key. */
  readonly #held = new Set<string>();
  /** How often maintenance mode has ended. */
  #resumed = 0;
  /** The names of pipelines whose last request met an obstacle, by key: administrators were notified of it. */
  readonly #obstructed = new Map<string, string>();
  readonly #pending = new PendingWork();
  #stopping = new AbortController();

  constructor(parts: RequestedRunsParts) {
    this.#parts = parts;
  }

  /** Goes on with requests that were accepted before. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    for (const { key, content } of await this.#parts.state.pipelines.requests()) {
      this.#waiting.set(key, { name: key, request: readRequest(content) });
      this.#serve(key);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#pending.ended();
    this.#waiting.clear();
    this.#held.clear();
    // Nobody here would see the obstacles go.
    for (const name of this.#obstructed.values()) this.#parts.couldNotTrigger(name, undefined);
    this.#obstructed.clear();
  }

  /** Something about the pipeline has changed: the obstacle that its last request met may be gone, and is not reported any more then. */
  async forgetObstacle(key: string): Promise<void> {
    const name = this.#obstructed.get(key);
    if (name === undefined) return;
    const { config, triggers, couldNotTrigger } = this.#parts;
    const pipeline = await config.find(key);
    if (pipeline && (await triggers.obstacleTo('manual', pipeline))) return;
    if (this.#obstructed.delete(key)) couldNotTrigger(name, undefined);
  }

  /** Maintenance mode is over. */
  resume(): void {
    this.#resumed++;
    for (const key of this.#held) this.#serve(key);
    this.#held.clear();
  }

  /** Until it is served, nothing else sets the pipeline off: a run by changes would make its own impossible. */
  isWaiting(name: string): boolean {
    return this.#waiting.has(keyOfName(name));
  }

  /** Returns when it is on disk; it is scheduled soon. */
  async add(name: string, request: TriggerRequest): Promise<void> {
    const { state } = this.#parts;
    const key = keyOfName(name);
    this.#waiting.set(key, { name, request });
    try {
      const row = { key, content: requestText(request), requested_at: state.now() };
      await state.writer.commit({ statements: [state.pipelines.request(row)], events: [] });
    } catch (failure) {
      this.#waiting.delete(key);
      this.#parts.wake(key);
      throw failure;
    }
    this.#serve(key);
  }

  #serve(key: string): void {
    const { signal } = this.#stopping;
    const waiting = this.#waiting.get(key);
    const scheduled = this.#schedule(key, signal).catch((failure: unknown) => {
      // A request on disk is served after the next start, on any server.
      if (signal.aborted) return;
      // Others may ask for a run meanwhile.
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      this.#parts.onFailure(failure);
    });
    void this.#pending.add(scheduled.then(() => signal.aborted || this.#parts.wake(key)));
  }

  async #schedule(key: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (!waiting) return;
    const { name, request } = waiting;
    const failures = await this.#pollFor(name, request, signal);
    if (signal.aborted || this.#waiting.get(key) !== waiting) return;
    const resumed = this.#resumed;
    const outcome = failures.length > 0 ? undefined : await this.#parts.triggers.serve(name, request);
    // It was accepted before the mode was switched on, and waits, as it would over a restart.
    if (request.kind !== 'timer' && outcome?.kind === 'obstacle' && outcome.obstacle.rule === 'maintenance') {
      if (this.#resumed > resumed) return this.#schedule(key, signal);
      this.#held.add(key);
      return;
    }
    // A timer that needs changes and finds none, or comes while its pipeline may not begin a run, is as it should be: `why` shows it.
    const isQuiet = request.kind === 'timer' && (outcome?.kind === 'refused' || outcome?.kind === 'obstacle');
    this.#parts.couldNotTrigger(name, isQuiet ? undefined : outcome ? problemOf(outcome) : failures.join('\n'));
    this.#obstructed.delete(key);
    if (!isQuiet && outcome?.kind === 'obstacle') {
      this.#obstructed.set(key, name);
      // It may have gone before this was noted.
      await this.forgetObstacle(key);
    }
    // A run removes the request in its own commit; a request that cannot be scheduled is not tried again.
    if (outcome?.kind !== 'scheduled')
      await this.#parts.state.writer.commit({ statements: [this.#parts.state.pipelines.removeRequest(key)], events: [] });
    if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
  }

  /**
   * The repository with the definition of the pipeline is polled in any case: new code must not run by an old definition. The materials
   * that the pipeline has got by a new definition are polled after it: they have no modification yet.
   */
  async #pollFor(name: string, { updatesMaterials }: TriggerRequest, signal: AbortSignal): Promise<readonly string[]> {
    const polled = new Set<string>();
    while (true) {
      const pipeline = await this.#parts.config.find(name);
      const { definedBy, materials = [] } = pipeline ?? {};
      const repositories = updatesMaterials ? materials.filter(({ upstream }) => upstream === undefined) : [];
      const wanted = [...repositories, ...(definedBy ? [definedBy] : [])].map(({ fingerprint }) => fingerprint);
      const next = new Set(wanted).difference(polled);
      if (next.size === 0) return [];
      const failures = await this.#parts.poll([...next], signal, definedBy?.repo);
      if (failures.length > 0) return failures;
      for (const fingerprint of next) polled.add(fingerprint);
    }
  }
}

/** Why there is no run; undefined: there is one, or nothing that could have one. */
function problemOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'scheduled':
    // It was deleted meanwhile: no message about it could ever be cleared.
    case 'gone':
      return undefined;
    case 'obstacle':
      return outcome.obstacle.message;
    case 'problem':
      return outcome.message;
    case 'refused':
      return outcome.decision.reason.rule === 'no_modifications'
        ? 'Some of its materials have no modification yet, or not the revision that was asked for.'
        : 'Nothing has changed since the last run.';
  }
}
