// Looks at every material when it is due, or when somebody asks for it: never twice at once, and no more often than failures allow.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddedJob, PeriodicRunner } from '../kit/periodic.ts';
import type { Materials, StoredMaterial } from '../store/materials.ts';
import type { MaterialCatalogue } from './catalogue.ts';
import type { Material } from './of-config.ts';
import { type PollParts, pollMaterial, storedMaterial } from './poll-material.ts';
import { type Failures, failedAgain, NO_FAILURES, nextLook } from './when.ts';
import { failedMessage, hungMessage, longDescription } from './words.ts';

export interface PollerParts extends PollParts {
  readonly catalogue: Pick<MaterialCatalogue, 'current'>;
  readonly runner: Pick<PeriodicRunner, 'add'>;
  /** The kind of its jobs, by which the runner bounds how many run at a time. */
  readonly kind: string;
  readonly materials: Materials;
  readonly health: Health;
  /** How long a material is left alone; undefined: until somebody asks for it. */
  readonly intervalMs: number | undefined;
  /** What there is to tell of a material while it is looked at. */
  detailsOf(material: Material): Readonly<Record<string, unknown>>;
  onFailure(failure: unknown, message: string): void;
  now?(): number;
}

interface Health {
  raise(about: string, level: 'WARNING' | 'ERROR', message: string, detail: string): void;
  clear(about: string): void;
}

/** `busy`: it is being looked at, or about to be. */
export type Verdict = 'scheduled' | 'busy' | 'unknown';

interface Watch {
  material: Material;
  job: AddedJob | undefined;
  /** undefined: only when somebody asks for it. */
  dueAt: number | undefined;
  failures: Failures;
  isRunning: boolean;
  /** Somebody has asked for another look. */
  isWanted: boolean;
  activeAt: number;
}

const FIRST_AFTER_MS = 10_000;
const MINUTE_MS = 60_000;
const HUNG_AFTER_MS = 15 * MINUTE_MS;
/** Going through a large configuration takes a moment: not with each change, nor while the server starts. */
const SYNC_AFTER_MS = 5000;

export class MaterialPoller {
  readonly #parts: PollerParts;
  readonly #now: () => number;
  readonly #watches = new Map<string, Watch>();
  /** The last failures of those that are not watched yet, from before the server was started. */
  readonly #failuresBefore: Map<string, Failures>;
  /** Those that have left the configuration, until their directories are gone. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #startedAt: number;
  #synced: ReadonlyMap<string, Material> | undefined;
  #syncTimer: NodeJS.Timeout | undefined;

  private constructor(parts: PollerParts, stored: readonly StoredMaterial[]) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#startedAt = this.#now();
    const failed = stored.filter(({ failures }) => failures > 0);
    this.#failuresBefore = new Map(failed.map((one) => [one.fingerprint, failuresOf(one)]));
  }

  static async open(parts: PollerParts): Promise<MaterialPoller> {
    const poller = new MaterialPoller(parts, await parts.materials.all());
    const upkeep = { when: { every: MINUTE_MS }, runsWhilePaused: true } as const;
    parts.runner.add({ ...upkeep, name: 'ends of material updates', run: () => parts.materials.writePolls() });
    parts.runner.add({ ...upkeep, name: 'hung material updates', run: () => poller.#tellHung() });
    poller.configurationChanged();
    return poller;
  }

  /** To be called when the configuration has changed: many changes in a row are looked at together. */
  configurationChanged(): void {
    this.#syncTimer ??= setTimeout(() => this.#trySync(), SYNC_AFTER_MS).unref();
  }

  #trySync(): void {
    try {
      this.sync();
    } catch (failure) {
      this.#parts.onFailure(failure, 'the materials of the configuration could not be worked out');
    }
  }

  /** Watches what is in the configuration now, and nothing else. */
  sync(): void {
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    const { current } = this.#parts.catalogue;
    if (current === this.#synced) return;
    this.#synced = current;
    for (const [fingerprint, watch] of this.#watches) if (!current.has(fingerprint)) this.#leave(watch);
    for (const material of current.values()) if (isPolled(material)) this.#watch(material);
  }

  /** Asks for a look now, whatever happened before. */
  update(fingerprint: string): Verdict {
    this.sync();
    const watch = this.#watches.get(fingerprint);
    if (!watch) return 'unknown';
    const isQueued = watch.dueAt !== undefined && watch.dueAt <= this.#now();
    if (watch.isRunning) {
      // Who is not looked at without being told must not miss what came after the look began.
      if (watch.material.autoUpdate) return 'busy';
      watch.isWanted = true;
      return 'scheduled';
    }
    if (isQueued) return watch.material.autoUpdate ? 'busy' : 'scheduled';
    watch.dueAt = this.#now();
    watch.job?.refresh();
    return 'scheduled';
  }

  /** After the runner has stopped. */
  async close(): Promise<void> {
    clearTimeout(this.#syncTimer);
    await Promise.all(this.#leaving.values());
    await this.#parts.materials.writePolls();
  }

  #watch(material: Material): void {
    const known = this.#watches.get(material.fingerprint);
    if (known) {
      this.#renew(known, material);
      return;
    }
    const { runner, kind, detailsOf } = this.#parts;
    const failures = this.#failuresBefore.get(material.fingerprint) ?? NO_FAILURES;
    const watch: Watch = { material, job: undefined, dueAt: undefined, failures, isRunning: false, isWanted: false, activeAt: 0 };
    watch.dueAt = this.#firstLook(watch);
    this.#watches.set(material.fingerprint, watch);
    watch.job = runner.add({
      name: `${material.type} ${longDescription(material)}`,
      kind,
      details: detailsOf(material),
      when: { next: () => watch.dueAt },
      run: (signal) => this.#look(watch, signal),
    });
  }

  #renew(watch: Watch, material: Material): void {
    const wasPolled = watch.material.autoUpdate;
    watch.material = material;
    if (wasPolled === material.autoUpdate || watch.isRunning) return;
    watch.dueAt = material.autoUpdate ? this.#firstLook(watch) : undefined;
    watch.job?.refresh();
  }

  #firstLook({ material, failures }: Watch): number | undefined {
    const { intervalMs } = this.#parts;
    if (!material.autoUpdate || intervalMs === undefined) return undefined;
    const soon = Math.max(this.#now(), this.#startedAt + FIRST_AFTER_MS);
    return failures.failedAt === undefined ? soon : Math.max(soon, nextLook(0, failures, intervalMs));
  }

  #nextLook({ material, failures, isWanted }: Watch): number | undefined {
    const { intervalMs } = this.#parts;
    if (isWanted) return this.#now();
    return material.autoUpdate && intervalMs !== undefined ? nextLook(this.#now(), failures, intervalMs) : undefined;
  }

  async #look(watch: Watch, signal: AbortSignal): Promise<void> {
    watch.isRunning = true;
    watch.isWanted = false;
    watch.activeAt = this.#now();
    const { material } = watch;
    try {
      await this.#poll(watch, material, signal);
    } catch (failure) {
      this.#parts.onFailure(failure, `a look at the material ${longDescription(material)} could not be noted`);
    } finally {
      this.#parts.health.clear(hungName(material));
      watch.isRunning = false;
      watch.dueAt = this.#nextLook(watch);
    }
  }

  async #poll(watch: Watch, material: Material, signal: AbortSignal): Promise<void> {
    const { materials, health } = this.#parts;
    await this.#leaving.get(material.fingerprint);
    const onActivity = () => {
      watch.activeAt = this.#now();
    };
    const stored = await storedMaterial(material, this.#parts);
    try {
      await pollMaterial(material, stored, { signal, onActivity }, this.#parts);
      watch.failures = NO_FAILURES;
      materials.polled(stored.id, { at: new Date(this.#now()) });
      health.clear(failedName(material));
    } catch (failure) {
      if (signal.aborted) return;
      const text = (failure instanceof Error && failure.message) || 'Unknown error';
      watch.failures = failedAgain(watch.failures, this.#now());
      materials.polled(stored.id, { at: new Date(this.#now()), failure: text });
      if (this.#watches.get(material.fingerprint) === watch)
        health.raise(failedName(material), 'ERROR', failedMessage(watch.material), text);
    }
  }

  #leave(watch: Watch): void {
    const { health, directory, materials } = this.#parts;
    const { fingerprint } = watch.material;
    this.#watches.delete(fingerprint);
    this.#failuresBefore.delete(fingerprint);
    health.clear(failedName(watch.material));
    const remove = async () => {
      await watch.job?.remove();
      const stored = await materials.find(fingerprint);
      if (stored) await rm(join(directory, stored.directory), { recursive: true, force: true });
    };
    const leaving = remove()
      .catch((failure: unknown) => this.#parts.onFailure(failure, 'the directory of a material could not be removed'))
      .then(() => {
        if (this.#leaving.get(fingerprint) === leaving) this.#leaving.delete(fingerprint);
      });
    this.#leaving.set(fingerprint, leaving);
  }

  #tellHung(): void {
    for (const { material, isRunning, activeAt } of this.#watches.values()) {
      const silentMs = this.#now() - activeAt;
      if (!isRunning || silentMs < HUNG_AFTER_MS) continue;
      const { message, detail } = hungMessage(material, Math.floor(silentMs / MINUTE_MS));
      this.#parts.health.raise(hungName(material), 'WARNING', message, detail);
    }
  }
}

/** Runs of other pipelines are no news of a repository. */
function isPolled({ type }: Material): boolean {
  return type !== 'dependency';
}

const failedName = ({ fingerprint }: Material) => `material ${fingerprint}`;
const hungName = ({ fingerprint }: Material) => `hung material ${fingerprint}`;

function failuresOf({ failedAt, failedBeforeAt }: StoredMaterial): Failures {
  return { failedAt: failedAt?.getTime(), failedBeforeAt: failedBeforeAt?.getTime() };
}
