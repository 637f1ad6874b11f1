// The materials that are watched: those of the configuration, and those that others include.
import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import { Externals } from '../catalogue/externals.ts';
import type { Material } from '../catalogue/material.ts';
import { longDescription } from '../catalogue/messages.ts';
import { storedExternals } from '../catalogue/stored-externals.ts';
import type { MaterialRemovals } from './material-removals.ts';
import type { PollHealth } from './poll-health.ts';
import { PollSchedule } from './poll-schedule.ts';
import type { PollerParts } from './poller-parts.ts';
import { NEVER_POLLED, type RestoredPollState, restoredStateOf } from './restored-poll-state.ts';

interface Parts extends Pick<PollerParts, 'runner' | 'kind' | 'clients' | 'intervalMs' | 'detailsOf' | 'requestedPolls' | 'onFailure'> {
  readonly health: PollHealth;
  readonly removals: MaterialRemovals;
  now(): number;
  /** Undefined: the configuration does not name it. */
  findConfigured(fingerprint: string): Material | undefined;
  poll(schedule: PollSchedule, signal: AbortSignal): Promise<void>;
}

const MINUTE_MS = 60_000;
const FIRST_AFTER_MS = 10_000;
/** Time after which a poll counts as slow and gives its slot to others that wait. */
const SLOW_AFTER_MS = 2000;
/** Time limit of a slow poll, at first, while other slow polls wait. */
const OVERFLOW_MS = 5 * MINUTE_MS;
/** Thousands of polls that are due in the same moment would delay all other work. */
const FIRST_POLLS_PER_MS = 20;

export class PolledMaterials {
  readonly #parts: Parts;
  readonly #notBefore: number;
  readonly #schedules = new Map<string, PollSchedule>();
  /** The state of materials that are not watched yet, from before the start. */
  readonly #restored: Map<string, RestoredPollState>;
  readonly #noting = new PendingWork();
  readonly externals = new Externals();

  constructor(parts: Parts, stored: readonly StoredMaterial[]) {
    this.#parts = parts;
    this.#notBefore = parts.now() + FIRST_AFTER_MS;
    this.#restored = new Map(stored.map((one) => [one.fingerprint, restoredStateOf(one)]));
  }

  find(fingerprint: string): PollSchedule | undefined {
    return this.#schedules.get(fingerprint);
  }

  all(): Iterable<PollSchedule> {
    return this.#schedules.values();
  }

  /** Whether a poll had failed when the server was stopped. */
  get hadFailures(): boolean {
    return this.#restored.values().some(({ failure }) => failure !== undefined);
  }

  /** Starts, updates or stops the polls of a material, by what the configuration says now. */
  reconcile(fingerprint: string): void {
    const { findConfigured, health } = this.#parts;
    const configured = findConfigured(fingerprint);
    if (!configured) for (const other of this.externals.forget(fingerprint)) this.reconcile(other);
    const material = configured ?? this.externals.find(fingerprint);
    const schedule = this.#schedules.get(fingerprint);
    if (!material || !isPolled(material)) {
      if (schedule) this.#stopWatching(schedule);
    } else if (schedule) this.#update(schedule, material);
    else {
      const added = this.#newSchedule(material);
      this.#schedules.set(fingerprint, added);
      health.reportFailure(added);
      if (configured) this.#restoreExternals(material);
      this.#restored.delete(fingerprint);
    }
  }

  /** Replaces the externals of a material; starts or stops polling those that were added or removed. */
  reconcileExternals(by: Material, externals: Parameters<Externals['set']>[1]): void {
    for (const other of this.externals.set(by, externals)) this.reconcile(other);
  }

  /** A change notification may concern one of the externals: polls the ones that are only polled on request. */
  requestExternalPolls(fingerprint: string): void {
    for (const other of this.externals.by(fingerprint).keys()) {
      const schedule = this.#schedules.get(other);
      if (schedule && !schedule.isPeriodic) schedule.requestPoll();
    }
  }

  /** Forgets the requested poll: a restart need not repeat it. */
  clearRequest({ material: { fingerprint } }: PollSchedule): void {
    const { requestedPolls, onFailure } = this.#parts;
    const noted = requestedPolls.remove(fingerprint);
    this.#noting.add(noted.catch((fault: unknown) => onFailure(fault, 'the end of a requested poll could not be noted')));
  }

  /** Returns when all cleared poll requests are noted on disk. */
  whenNoted(): Promise<void> {
    return this.#noting.ended();
  }

  /** Restores its externals from before the start of the server. They may be different now, so they are asked for again. */
  #restoreExternals(material: Material): void {
    const { fingerprint, type } = material;
    try {
      const externals = storedExternals(this.#restored.get(fingerprint)?.data, this.#parts.clients[type]);
      if (!externals) return;
      const reconciled = this.externals.set(material, externals);
      this.externals.invalidate(fingerprint);
      for (const other of reconciled) this.reconcile(other);
    } catch (fault) {
      this.#parts.onFailure(fault, `what the material ${longDescription(material)} brings in could not be recalled`);
    }
  }

  #update(schedule: PollSchedule, material: Material): void {
    const { health } = this.#parts;
    const isChanged = schedule.update(material);
    health.reportFailure(schedule);
    for (const other of this.externals.by(material.fingerprint).keys()) {
      const external = this.#schedules.get(other);
      if (!external) continue;
      // An external may log in as its owner does.
      if (isChanged) external.retry();
      health.reportFailure(external);
    }
  }

  #newSchedule(material: Material): PollSchedule {
    const { runner, kind, intervalMs, detailsOf, requestedPolls, now, poll } = this.#parts;
    const isRequested = requestedPolls.has(material.fingerprint);
    const initial = { ...(this.#restored.get(material.fingerprint) ?? NEVER_POLLED), isRequested };
    const notBefore = this.#notBefore + Math.floor(this.#schedules.size / FIRST_POLLS_PER_MS);
    return new PollSchedule(material, initial, { intervalMs, notBefore, now }, (schedule) =>
      runner.add({
        get name() {
          return `${schedule.material.type} ${longDescription(schedule.material)}`;
        },
        get details() {
          return detailsOf(schedule.material);
        },
        kind,
        when: { next: () => schedule.dueAt },
        // A material that does not answer, or has never done so, must not keep others from being polled.
        isHeldBack: () => !schedule.hasSucceeded,
        slowRunPolicy: { slowAfterMs: SLOW_AFTER_MS, overflowMs: OVERFLOW_MS },
        run: (signal) => poll(schedule, AbortSignal.any([signal, schedule.gone])),
      }),
    );
  }

  #stopWatching(schedule: PollSchedule): void {
    const { health, removals } = this.#parts;
    this.#schedules.delete(schedule.material.fingerprint);
    health.clearFailure(schedule.material);
    schedule.stopWatching();
    this.clearRequest(schedule);
    removals.add(schedule);
  }
}

/** Runs of other pipelines are no news of a repository. */
function isPolled({ type }: Material): boolean {
  return type !== 'dependency';
}
