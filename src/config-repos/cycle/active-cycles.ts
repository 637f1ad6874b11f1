// The update cycles of all config repos from a start to a stop: lets them work in turn, so that no repo holds up another.

import type { Edit } from '../../config/edit.ts';
import type { Revision } from '../../config/revision.ts';
import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import { Preempted } from '../../kit/concurrency/periodic/job.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Material } from '../../materials/catalogue/material.ts';
import { failedMessage } from '../../materials/catalogue/messages.ts';
import type { FinishedPoll } from '../../materials/polling/poll-run.ts';
import type { PollRequestResult } from '../../materials/polling/poll-schedule.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import { SupersededPublication } from '../publish/publication.ts';
import { notReached, reportedError } from '../publish/repo-error.ts';
import type { CycleParts } from './cycle-parts.ts';
import { JointPublishing } from './joint-publishing.ts';
import { Outcomes } from './outcomes.ts';
import { recordRecovery } from './record-recovery.ts';
import { RepoCycle } from './repo-cycle.ts';
import { type CycleEvent, isBusy, isRunning, type Scope } from './state.ts';
import { workFor, workOn } from './work.ts';

/** How long a run may hold up other runs; the files it has read until then are kept. */
const SLOW_AFTER_MS = 10_000;
/** How long, at first, it may then hold up other runs that take as long. */
const OVERFLOW_MS = 10 * 60_000;

export class ActiveCycles {
  readonly #parts: CycleParts;
  readonly #cycles = new Map<string, RepoCycle>();
  readonly #outcomes: Outcomes;
  readonly jointPublishing: JointPublishing;
  /** The work that follows from events, until all of it is done. */
  readonly #pending = new PendingWork();
  /** Removals of what is stored of repos that are gone, by repo. */
  readonly #removals = new Map<string, Promise<void>>();
  /** The number of changes that may allow a refused revision. */
  #changes = 0;
  #isClosed = false;

  /** `states`: the stored states of the repos. Those of removed repos are deleted. */
  constructor(parts: CycleParts, states: readonly RepoState[]) {
    this.#parts = parts;
    this.#outcomes = new Outcomes(parts.health, (cycle) => this.#dispatch(cycle, { type: 'changed', scope: 'refusals' }));
    this.jointPublishing = new JointPublishing({ ...parts, refused: () => this.#outcomes.refused });
    const known = new Map(states.map((state) => [state.repo, state]));
    for (const { key } of parts.config.of('configRepos').all()) {
      this.#add(key, known.get(key));
      known.delete(key);
    }
    for (const repo of known.keys()) this.#trackRemoval(repo, this.#removeStored(repo));
  }

  /** Returns when nothing is stored any more of repos that were gone at the start. */
  async removalsDone(): Promise<void> {
    await Promise.all(this.#removals.values());
  }

  /** Resumes unfinished work, and begins work on revisions fetched since. */
  resume(): Promise<void> {
    return this.#pending.add(this.#resume());
  }

  async #resume(): Promise<void> {
    const { materials } = this.#parts;
    const stored = new Map((await materials.all()).map((one) => [one.fingerprint, one]));
    for (const cycle of [...this.#cycles.values()]) {
      if (this.#isClosed) return;
      const material = await materials.ofConfigRepo(cycle.id);
      const known = material && stored.get(material.fingerprint);
      if (known) this.#notePoll(cycle, material, known.failure);
      if (this.#hasChanges(cycle, known?.lastRevision)) this.#dispatch(cycle, { type: 'changed', scope: 'changes' });
      // The config repo was added, or has got another repository, and the server stopped before it could poll it.
      else if (!cycle.known || known?.lastRevision === undefined) this.#dispatch(cycle, { type: 'resumed' });
      await pause();
    }
    // The last change may have come just before the server was stopped, and allow a refused revision.
    this.#outcomes.configurationChanged();
  }

  /** Brings a repo up to date; `busy`: it is being updated already. */
  update(id: string): Promise<PollRequestResult> {
    return this.#pending.add(this.#update(id));
  }

  async #update(id: string): Promise<PollRequestResult> {
    const material = await this.#parts.materials.ofConfigRepo(id);
    const cycle = this.#cycles.get(id);
    if (!material || !cycle) return 'unknown';
    if (isBusy(cycle.state) || this.#parts.materials.isUnderWay(material.fingerprint, 'counted')) {
      // Without auto-update no later poll would find commits that came after this one began.
      if (!material.autoUpdate) await this.#parts.materials.requestPoll(material.fingerprint);
      return 'busy';
    }
    await this.#dispatch(cycle, { type: 'requested' });
    return 'scheduled';
  }

  /** Whether work on a repo is under way; work that waits for the end of maintenance is not. */
  async isUpdating(id: string): Promise<boolean> {
    const cycle = this.#cycles.get(id);
    if (!cycle) return false;
    const { materials, isPaused } = this.#parts;
    const waiting = isPaused() ? 'not counted' : 'counted';
    if (cycle.pollsToFollow > 0 || isRunning(cycle.state) || (waiting === 'counted' && isBusy(cycle.state))) return true;
    const material = await materials.ofConfigRepo(id);
    return material !== undefined && materials.isUnderWay(material.fingerprint, waiting);
  }

  /** The last known state of a repo, and why it could not be fetched the last time. */
  knownOf(id: string): Pick<RepoCycle, 'known' | 'pollFailure'> {
    return this.#cycles.get(id) ?? { known: undefined, pollFailure: undefined };
  }

  /** Tries refused repos again. To be called when something other than the configuration has changed that may be the reason. */
  retryRefused(): void {
    this.#changes++;
    this.#outcomes.configurationChanged();
  }

  /** After the runner has stopped: no new work is begun, and running work is waited for. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#cycles.values(), ({ job }) => job.remove()));
    this.#outcomes.close(this.#cycles.values());
    await this.#pending.ended();
    await Promise.all(this.#removals.values());
  }

  configChanged({ edits }: Revision): void {
    for (const edit of edits) this.#followEdit(edit);
    this.retryRefused();
  }

  #followEdit({ kind, key, id, before, after }: Edit): void {
    switch (kind.name) {
      case 'configRepos':
        if (!after) this.#remove(key);
        else this.#dispatch(this.#cycles.get(key) ?? this.#add(key, undefined), { type: 'saved', isNew: !before });
        break;
      case 'publishedRevisions': {
        // It was withdrawn along with another repo.
        const cycle = after ? undefined : this.#cycles.get(key);
        if (cycle) this.#dispatch(cycle, { type: 'changed', scope: 'changes' });
        break;
      }
      case 'pluginSettings':
        for (const cycle of this.#cycles.values())
          if (this.#parts.config.of('configRepos').find(cycle.id)?.value.pluginId === id)
            this.#dispatch(cycle, { type: 'changed', scope: 'changes' });
    }
  }

  pollEnded({ material, failure }: FinishedPoll): void {
    for (const id of material.configRepos) {
      const cycle = this.#cycles.get(id);
      if (!cycle) continue;
      if (failure !== undefined && (cycle.isPollRequested || cycle.pollFailure?.detail !== failure)) this.#recordPoll(cycle, failure);
      const hasRecovered = failure === undefined && cycle.pollFailure !== undefined;
      this.#notePoll(cycle, material, failure);
      cycle.pollsToFollow++;
      const followed = this.#followPoll(cycle, material, hasRecovered).catch((fault: unknown) => this.#pollFailed(cycle, fault));
      this.#pending.add(followed.finally(() => cycle.pollsToFollow--));
    }
  }

  async #followPoll(cycle: RepoCycle, { fingerprint }: Material, isBack: boolean): Promise<void> {
    const stored = await this.#parts.materials.find(fingerprint);
    await cycle.recordedPoll;
    if (isBack) await this.#recordRecovery(cycle, stored?.lastRevision);
    await this.#dispatch(cycle, { type: 'pollEnded', hasChanges: this.#hasChanges(cycle, stored?.lastRevision) });
  }

  #notePoll(cycle: RepoCycle, material: Material, failure: string | undefined): void {
    cycle.pollFailure = failure === undefined ? undefined : { message: failedMessage(material), detail: failure };
  }

  /** The history shows a failed poll, too; the same failure again and again would say nothing more. */
  #recordPoll(cycle: RepoCycle, message: string): void {
    const { id } = cycle;
    const { database, parses, onFault } = this.#parts;
    const nothing = { revision: '', matched: 0, parsed: 0, durationMs: 0, warnings: [] };
    const attempt = { ...nothing, at: new Date(), outcome: 'unread', errors: [reportedError(notReached(message))] };
    cycle.recordedPoll = this.#pending.add(
      database
        .writeTransaction(parses.add(id, attempt))
        .catch((fault: unknown) => onFault(fault, `that the config repo ${id} could not be reached could not be noted`)),
    );
  }

  /** A run that follows reports itself how it ended. */
  async #recordRecovery(cycle: RepoCycle, revision: string | undefined): Promise<void> {
    const scope = cycle.isPollRequested ? 'everything' : 'changes';
    if (cycle.known && workFor(cycle, revision, scope, this.#parts) === undefined) await recordRecovery(cycle.known, this.#parts);
  }

  #hasChanges(cycle: RepoCycle, revision: string | undefined): boolean {
    return workFor(cycle, revision, 'changes', this.#parts) !== undefined;
  }

  /** Returns when a poll that has to follow is scheduled. */
  async #dispatch(cycle: RepoCycle, event: CycleEvent): Promise<void> {
    const effects = cycle.handle(event);
    if (effects.includes('enqueue')) cycle.job.refresh();
    if (!effects.includes('requestPoll') || this.#isClosed) return;
    await this.#pending.add(this.#requestPoll(cycle).catch((fault: unknown) => this.#pollFailed(cycle, fault)));
  }

  async #requestPoll(cycle: RepoCycle): Promise<void> {
    const { materials } = this.#parts;
    const material = await materials.ofConfigRepo(cycle.id);
    const outcome = material ? await materials.requestPoll(material.fingerprint) : 'unknown';
    if (outcome === 'busy') this.#dispatch(cycle, { type: 'overlapped' });
    if (outcome === 'unknown') this.#dispatch(cycle, { type: 'pollEnded', hasChanges: false });
  }

  #pollFailed(cycle: RepoCycle, fault: unknown): void {
    this.#parts.onFault(fault, `the config repo ${cycle.id} could not be polled`);
    this.#dispatch(cycle, { type: 'pollEnded', hasChanges: false });
  }

  #add(id: string, known: RepoState | undefined): RepoCycle {
    const { runner, kind } = this.#parts;
    const cycle = new RepoCycle(id, known, (one) =>
      runner.add({
        name: `config repo ${id}`,
        kind,
        when: { next: () => one.dueAt },
        // A repo that cannot be read, or never was, must not keep others from being read.
        isHeldBack: () => !one.wasReadable,
        slowRunPolicy: { slowAfterMs: SLOW_AFTER_MS, overflowMs: OVERFLOW_MS },
        run: (signal) => this.#run(one, signal),
      }),
    );
    this.#cycles.set(id, cycle);
    this.#outcomes.note(cycle);
    return cycle;
  }

  async #run(cycle: RepoCycle, stopping: AbortSignal): Promise<void> {
    const { scope } = cycle.state;
    const { abortSignal, isRequested } = cycle.begin();
    const signal = AbortSignal.any([stopping, abortSignal]);
    const onStep = (type: 'read' | 'parsed') => this.#dispatch(cycle, { type });
    const onPut = (state: RepoState) => {
      cycle.known = state;
      this.#outcomes.note(cycle);
    };
    this.#dispatch(cycle, { type: 'begun' });
    const changes = this.#changes;
    try {
      await this.#removals.get(cycle.id);
      await workOn(cycle, { scope, isRequested, signal, onStep, onPut }, { ...this.#parts, jointPublishing: this.jointPublishing });
    } catch (failure) {
      if (signal.reason instanceof Preempted) this.#runAgain(cycle, scope, isRequested);
      const isExpected = signal.aborted || failure instanceof SupersededPublication;
      if (!isExpected) this.#parts.onFault(failure, `the config repo ${cycle.id} could not be updated`);
    } finally {
      // The reason for its refusal may be gone.
      if (cycle.known?.outcome === 'refused' && this.#changes !== changes) this.#outcomes.configurationChanged();
      this.#dispatch(cycle, { type: 'ended' });
    }
  }

  #runAgain(cycle: RepoCycle, scope: Scope, isRequested: boolean): void {
    if (isRequested) cycle.requestAgain();
    this.#dispatch(cycle, { type: 'changed', scope });
  }

  #remove(id: string): void {
    const cycle = this.#cycles.get(id);
    if (!cycle) return;
    this.#cycles.delete(id);
    this.#dispatch(cycle, { type: 'removed' });
    this.#outcomes.note(cycle);
    this.#trackRemoval(
      id,
      cycle.job.remove().then(() => this.#removeStored(id)),
    );
  }

  #trackRemoval(id: string, removed: Promise<void>): void {
    const removal = removed
      .catch((fault: unknown) => this.#parts.onFault(fault, `what is known of the config repo ${id} could not be removed`))
      .then(() => {
        if (this.#removals.get(id) === removal) this.#removals.delete(id);
      });
    this.#removals.set(id, removal);
  }

  async #removeStored(repo: string): Promise<void> {
    const { database, states, files, parses } = this.#parts;
    await database.writeTransaction([files.removeAll(repo), parses.removeAll(repo), states.remove(repo)]);
  }
}
