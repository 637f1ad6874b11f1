// The poller from a start to a stop: polls every material when it is due or a poll is requested, never twice at once, and no
// more often than failures allow.
import type { AddedJob } from '../../kit/concurrency/periodic/periodic.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import { FollowedCatalogue } from '../catalogue/followed-catalogue.ts';
import type { Material } from '../catalogue/material.ts';
import type { MaterialDirectories } from './directories.ts';
import { MaterialRemovals } from './material-removals.ts';
import { type HealthNote, PollHealth } from './poll-health.ts';
import { storedMaterial } from './poll-material.ts';
import { type FinishedPoll, runPoll } from './poll-run.ts';
import type { PollRequestResult } from './poll-schedule.ts';
import { PolledMaterials } from './polled-materials.ts';
import type { PollerParts } from './poller-parts.ts';
import { type MaterialWork, runWithMaterial } from './run-with-material.ts';

export interface MaterialState {
  /** When the poll that is under way began. */
  readonly startedAt: Date | undefined;
  /** When a poll ended last, well or not. */
  readonly polledAt: Date | undefined;
  /** The health messages about it. */
  readonly notes: readonly HealthNote[];
}

const MINUTE_MS = 60_000;
/** Delay of the sync after a change of the configuration, and after the start unless there is a failure to report. */
const SYNC_AFTER_MS = 5000;

export class ActivePoller {
  readonly #parts: PollerParts;
  readonly #directories: MaterialDirectories;
  readonly #removals: MaterialRemovals;
  readonly #catalogue: FollowedCatalogue;
  readonly #watched: PolledMaterials;
  readonly #health: PollHealth;
  readonly #housekeeping: readonly AddedJob[];
  #tidying: Promise<void> | undefined;

  constructor(
    parts: PollerParts,
    stored: readonly StoredMaterial[],
    directories: MaterialDirectories,
    onFinished: (finished: FinishedPoll) => void,
  ) {
    const { catalogue, onFailure, now = Date.now } = parts;
    const health = new PollHealth(parts.health);
    const removals = new MaterialRemovals(parts, directories);
    this.#parts = parts;
    this.#health = health;
    this.#directories = directories;
    this.#removals = removals;
    this.#catalogue = new FollowedCatalogue({
      catalogue,
      reconcile: (fingerprint) => this.#watched.reconcile(fingerprint),
      onAllReconciled: () => this.#tidy(),
      onFailure,
    });
    const findConfigured = (fingerprint: string) => this.#catalogue.find(fingerprint);
    this.#watched = new PolledMaterials(
      { ...parts, health, removals, now, findConfigured, poll: (schedule, signal) => runPoll(schedule, signal, runParts) },
      stored,
    );
    const runParts = {
      poller: parts,
      watched: this.#watched,
      removals,
      directories,
      health,
      now,
      isConfigured: (fingerprint: string) => findConfigured(fingerprint) !== undefined,
      onEnded: onFinished,
    };
    this.#housekeeping = this.#addHousekeeping(health);
    this.#catalogue.syncAfter(this.#watched.hadFailures ? 0 : SYNC_AFTER_MS);
  }

  #addHousekeeping(health: PollHealth): AddedJob[] {
    const { runner, materials } = this.#parts;
    const options = { when: { every: MINUTE_MS }, runsWhilePaused: true } as const;
    return [
      runner.add({ ...options, name: 'ends of material updates', run: () => materials.writePolls() }),
      runner.add({ ...options, name: 'hung material updates', run: () => health.reportHung(this.#watched.all()) }),
      runner.add({ when: options.when, name: 'waiting material updates', run: () => health.reportWaiting(this.#watched.all()) }),
    ];
  }

  /** To be called when the configuration has changed: many changes in a row are polled together. */
  configurationChanged(): void {
    this.#catalogue.syncAfter(SYNC_AFTER_MS);
  }

  /** Watches the materials of the current configuration, and no others. */
  sync(): Promise<void> {
    return this.#catalogue.sync();
  }

  #tidy(): void {
    this.#tidying ??= this.#directories
      .tidy((fingerprint) => this.#watched.find(fingerprint) !== undefined)
      .catch((failure) => this.#parts.onFailure(failure, 'old directories of materials could not be removed'));
  }

  /** Asks for a poll now, whatever happened before. When this returns, the poll takes place even after a restart. */
  async requestPoll(fingerprint: string): Promise<PollRequestResult> {
    await this.sync();
    const schedule = this.#watched.find(fingerprint);
    if (!schedule) return 'unknown';
    const result = schedule.requestPoll();
    // Materials that are polled at intervals need no stored request.
    if (!schedule.isPeriodic) await this.#parts.requestedPolls.add(fingerprint);
    return result;
  }

  /** Whether a poll of the material runs or, if counted, waits for a slot. */
  isUnderWay(fingerprint: string, waiting: 'counted' | 'not counted'): boolean {
    const schedule = this.#watched.find(fingerprint);
    return schedule !== undefined && (schedule.isRunning || (waiting === 'counted' && schedule.isDue));
  }

  /** The current state of a material. */
  stateOf(fingerprint: string): MaterialState {
    const { startedAt, polledAt } = this.#watched.find(fingerprint) ?? {};
    const date = (moment: number | undefined) => (moment === undefined ? undefined : new Date(moment));
    return { startedAt: date(startedAt), polledAt: date(polledAt), notes: this.#health.notesOn({ fingerprint }) };
  }

  /** Runs work on a material while no poll uses its directory. */
  async runWithMaterial<T>(material: Material, work: MaterialWork<T>): Promise<T> {
    await this.#removals.whenRemoved(material.fingerprint);
    const stored = await storedMaterial(material, this.#parts);
    return this.#directories.take(stored.directory, () => runWithMaterial(material, stored, work, this.#parts), work.signal);
  }

  /** Finds a material that no pipeline names: an external of another material. */
  async findExternal(fingerprint: string): Promise<Material | undefined> {
    await this.sync();
    return this.#watched.externals.find(fingerprint);
  }

  /** After the runner has stopped. */
  async close(): Promise<void> {
    await this.#catalogue.close();
    const jobs = [...this.#housekeeping, ...Array.from(this.#watched.all(), ({ job }) => job)];
    await Promise.all(jobs.map((job) => job.remove()));
    await this.#directories.close();
    await this.#removals.whenAllRemoved();
    await this.#watched.whenNoted();
    // The server that polls from now on reports the problems.
    this.#health.clearAll(this.#watched.all());
    await this.#parts.materials.writePolls();
  }
}
