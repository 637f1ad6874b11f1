// Looks at every material when it is due, or when somebody asks for it: never twice at once, and no more often than failures allow.
import { GiveWay, type PeriodicRunner } from '../kit/periodic.ts';
import { nextTurn, slices } from '../kit/slices.ts';
import type { MaterialWishes } from '../store/material-wishes.ts';
import type { Materials, PollNote, StoredMaterial } from '../store/materials.ts';
import { BroughtIn } from './brought-in.ts';
import type { MaterialCatalogue } from './catalogue.ts';
import type { MaterialClient, PolledMaterial } from './client.ts';
import { MaterialDirectories } from './directories.ts';
import { beforeOf, type FromBefore, NOTHING_BEFORE } from './from-before.ts';
import { keptBringIns } from './kept-bring-ins.ts';
import { type Health, LookHealth } from './look-health.ts';
import type { Material } from './of-config.ts';
import { type PollParts, pollMaterial, storedMaterial } from './poll-material.ts';
import { type Verdict, Watch } from './watch.ts';
import { longDescription } from './words.ts';
import { type MaterialWork, workWith } from './work-with.ts';

export interface PollerParts extends PollParts {
  readonly catalogue: Pick<MaterialCatalogue, 'current' | 'takeChanged' | 'hasChanged'>;
  readonly runner: Pick<PeriodicRunner, 'add'>;
  /** The kind of its jobs, by which the runner bounds how many run at a time. */
  readonly kind: string;
  readonly materials: Materials;
  readonly wishes: Pick<MaterialWishes, 'has' | 'add' | 'remove'>;
  readonly health: Health;
  /** How long a material is left alone; undefined: until somebody asks for it. */
  readonly intervalMs: number | undefined;
  /** What there is to tell of a material while it is looked at. */
  detailsOf(material: Material): Readonly<Record<string, unknown>>;
  onFailure(failure: unknown, message: string): void;
  /** It cannot be looked at any more, and then, it can again. */
  onFailed?(material: Material, failure: string): void;
  onRecovered?(material: Material): void;
  now?(): number;
}

/** A look at a material has ended. */
export interface Looked {
  readonly material: Material;
  /** In words without secrets; undefined: it went well, or was stopped. */
  readonly failure: string | undefined;
}

const FIRST_AFTER_MS = 10_000;
const MINUTE_MS = 60_000;
/** Not with each change, nor while the server starts, unless there is a failure to tell of. */
const SYNC_AFTER_MS = 5000;
/** So long a look may be in the way of others. */
const PATIENCE_MS = 2000;
/** And so long, at first, in the way of others that take as long. */
const ASIDE_MS = 5 * MINUTE_MS;
/** Thousands that come due in the same moment would keep everybody else waiting. */
const FIRST_LOOKS_PER_MS = 20;

export class MaterialPoller {
  readonly #parts: PollerParts;
  readonly #now: () => number;
  readonly #notBefore: number;
  readonly #watches = new Map<string, Watch>();
  readonly #broughtIn = new BroughtIn();
  readonly #health: LookHealth;
  /** What is known of those that are not watched yet, from before the server was started. */
  readonly #before: Map<string, FromBefore>;
  /** Those that have left the configuration, until their directories are gone. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #directories: MaterialDirectories;
  readonly #listeners: ((looked: Looked) => void)[] = [];
  #configured: ReadonlyMap<string, Material> = new Map();
  #syncing: Promise<void> | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  #tidied: Promise<void> | undefined;

  private constructor(parts: PollerParts, stored: readonly StoredMaterial[], directories: MaterialDirectories) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#notBefore = this.#now() + FIRST_AFTER_MS;
    this.#before = new Map(stored.map((one) => [one.fingerprint, beforeOf(one)]));
    this.#directories = directories;
    this.#health = new LookHealth(parts.health);
  }

  static async open(parts: PollerParts): Promise<MaterialPoller> {
    const stored = await parts.materials.all();
    const poller = new MaterialPoller(parts, stored, await MaterialDirectories.open(parts.directory, stored));
    const upkeep = { when: { every: MINUTE_MS }, runsWhilePaused: true } as const;
    parts.runner.add({ ...upkeep, name: 'ends of material updates', run: () => parts.materials.writePolls() });
    parts.runner.add({ ...upkeep, name: 'hung material updates', run: () => poller.#health.tellHung(poller.#watches.values()) });
    parts.runner.add({
      when: upkeep.when,
      name: 'waiting material updates',
      run: () => poller.#health.tellWaiting(poller.#watches.values()),
    });
    poller.#syncAfter(poller.#before.values().some(({ failure }) => failure !== undefined) ? 0 : SYNC_AFTER_MS);
    return poller;
  }

  /** To be called when the configuration has changed: many changes in a row are looked at together. */
  configurationChanged(): void {
    this.#syncAfter(SYNC_AFTER_MS);
  }

  #syncAfter(milliseconds: number): void {
    this.#syncTimer ??= setTimeout(() => {
      this.sync().catch((failure) => this.#parts.onFailure(failure, 'the materials of the configuration could not be worked out'));
    }, milliseconds).unref();
  }

  /** Watches what is in the configuration now, and nothing else. */
  async sync(): Promise<void> {
    const { catalogue } = this.#parts;
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    do {
      this.#syncing ??= this.#sync().finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    } while (catalogue.hasChanged);
    this.#tidied ??= this.#directories
      .tidy((fingerprint) => this.#watches.has(fingerprint))
      .catch((failure) => this.#parts.onFailure(failure, 'old directories of materials could not be removed'));
  }

  async #sync(): Promise<void> {
    const { catalogue } = this.#parts;
    const pause = slices();
    this.#configured = await catalogue.current();
    for (const fingerprint of catalogue.takeChanged()) {
      this.#settle(fingerprint);
      const wait = pause();
      if (wait) await wait;
    }
  }

  /** Asks for a look now, whatever happened before. When this returns a restart does not make anybody forget it. */
  async update(fingerprint: string): Promise<Verdict> {
    await this.sync();
    const watch = this.#watches.get(fingerprint);
    if (!watch) return 'unknown';
    const verdict = watch.ask();
    // Others are looked at in any case.
    if (!watch.isTimed) await this.#parts.wishes.add(fingerprint);
    return verdict;
  }

  /** Whether somebody looks at it, or waits for a place to do so. */
  isUnderWay(fingerprint: string, waiting: 'counted' | 'not counted'): boolean {
    const watch = this.#watches.get(fingerprint);
    return watch !== undefined && (watch.isRunning || (waiting === 'counted' && watch.isDue));
  }

  /** To be told when a look has ended. */
  listen(listener: (looked: Looked) => void): void {
    this.#listeners.push(listener);
  }

  /** Lets somebody work with a material while nobody looks at it. */
  async workWith<T>(material: Material, work: MaterialWork<T>): Promise<T> {
    await this.#leaving.get(material.fingerprint);
    const stored = await storedMaterial(material, this.#parts);
    return this.#directories.take(stored.directory, () => workWith(material, stored, work, this.#parts), work.signal);
  }

  /** One that no pipeline names, because another one brings it in. */
  async findBroughtIn(fingerprint: string): Promise<Material | undefined> {
    await this.sync();
    return this.#broughtIn.find(fingerprint);
  }

  /** After the runner has stopped. */
  async close(): Promise<void> {
    clearTimeout(this.#syncTimer);
    await this.#syncing?.catch(() => {}); // told to whoever waited for it
    await this.#directories.close();
    await Promise.all(this.#leaving.values());
    await this.#parts.materials.writePolls();
  }

  /** Watches it when there is a reason to, and only then. */
  #settle(fingerprint: string): void {
    if (!this.#configured.has(fingerprint)) for (const other of this.#broughtIn.forget(fingerprint)) this.#settle(other);
    const material = this.#configured.get(fingerprint) ?? this.#broughtIn.find(fingerprint);
    const watch = this.#watches.get(fingerprint);
    if (!material || !isPolled(material)) {
      if (watch) this.#leave(watch);
    } else if (watch) this.#renew(watch, material);
    else {
      const added = this.#newWatch(material);
      this.#watches.set(fingerprint, added);
      this.#health.tellFailure(added);
      this.#recall(material);
      this.#before.delete(fingerprint);
    }
  }

  /** What it brought in before the server was started. That may be different now, so it is asked again. */
  #recall(material: Material): void {
    const { fingerprint, type } = material;
    if (!this.#configured.has(fingerprint)) return;
    try {
      const client = this.#parts.clients[type as PolledMaterial['type']] as MaterialClient<PolledMaterial> | undefined;
      const bringIns = keptBringIns(this.#before.get(fingerprint)?.data, client);
      if (!bringIns) return;
      const settled = this.#broughtIn.set(material, bringIns);
      this.#broughtIn.doubt(fingerprint);
      for (const other of settled) this.#settle(other);
    } catch (fault) {
      this.#parts.onFailure(fault, `what the material ${longDescription(material)} brings in could not be recalled`);
    }
  }

  #renew(watch: Watch, material: Material): void {
    const isChanged = watch.renew(material);
    this.#health.tellFailure(watch);
    for (const other of this.#broughtIn.by(material.fingerprint).keys()) {
      const broughtIn = this.#watches.get(other);
      if (!broughtIn) continue;
      // It may log in as the one that brings it in does.
      if (isChanged) broughtIn.retry();
      this.#health.tellFailure(broughtIn);
    }
  }

  #newWatch(material: Material): Watch {
    const { runner, kind, intervalMs, detailsOf, wishes } = this.#parts;
    const isWished = wishes.has(material.fingerprint);
    const before = { ...(this.#before.get(material.fingerprint) ?? NOTHING_BEFORE), isWished };
    const notBefore = this.#notBefore + Math.floor(this.#watches.size / FIRST_LOOKS_PER_MS);
    return new Watch(material, before, { intervalMs, notBefore, now: this.#now }, (watch) =>
      runner.add({
        get name() {
          return `${watch.material.type} ${longDescription(watch.material)}`;
        },
        get details() {
          return detailsOf(watch.material);
        },
        kind,
        when: { next: () => watch.dueAt },
        // What does not answer, or has never done so, must not keep others from being looked at.
        isHeldBack: () => !watch.isProven,
        patience: { milliseconds: PATIENCE_MS, asideMs: ASIDE_MS },
        run: (signal) => this.#look(watch, AbortSignal.any([signal, watch.gone])),
      }),
    );
  }

  async #look(watch: Watch, signal: AbortSignal): Promise<void> {
    const { material } = watch;
    let failure: string | undefined;
    watch.begin();
    try {
      failure = await this.#poll(watch, material, signal);
    } catch (fault) {
      this.#parts.onFailure(fault, `a look at the material ${longDescription(material)} could not be noted`);
    } finally {
      this.#health.clearHung(material);
      if (signal.reason instanceof GiveWay) watch.giveWay();
      else this.#ended(watch, failure, signal.aborted);
    }
  }

  #ended(watch: Watch, failure: string | undefined, wasStopped: boolean): void {
    watch.end();
    if (!wasStopped && !watch.isDue) this.#fulfil(watch);
    for (const listener of this.#listeners) listener({ material: watch.material, failure });
  }

  #fulfil({ material: { fingerprint } }: Watch): void {
    const { wishes, onFailure } = this.#parts;
    wishes.remove(fingerprint).catch((fault: unknown) => onFailure(fault, 'a look that was asked for could not be noted'));
  }

  /** Gives what went wrong. */
  async #poll(watch: Watch, material: Material, signal: AbortSignal): Promise<string | undefined> {
    const { fingerprint } = material;
    await this.#leaving.get(fingerprint);
    const stored = await storedMaterial(material, this.#parts, watch.takeStored());
    const at = () => new Date(this.#now());
    // What is brought in does not bring in more.
    const asksBringIns = (count: number) =>
      this.#configured.has(fingerprint) && (count > 0 || !this.#broughtIn.isKnown(fingerprint)) && !watch.gone.aborted;
    // The end of the look before and the beginning of this one would keep requests waiting for as long as both take.
    await nextTurn();
    const watching = { signal, onActivity: () => watch.noteActivity(), asksBringIns };
    try {
      const poll = () => pollMaterial(material, stored, watching, this.#parts);
      const { bringIns, isChanged } = await this.#directories.take(stored.directory, poll, signal);
      if (!isChanged) watch.keepStored(stored);
      if (bringIns && !watch.gone.aborted) for (const other of this.#broughtIn.set(material, bringIns)) this.#settle(other);
      this.#askBroughtInBy(fingerprint);
      const hasRecovered = watch.hasFailed;
      if (hasRecovered) this.#parts.onRecovered?.(material);
      watch.noteSuccess();
      this.#noteEnd(stored, { at: at() }, hasRecovered);
      this.#health.clearFailure(material);
      return undefined;
    } catch (failure) {
      if (signal.aborted) return undefined;
      const text = (failure instanceof Error && failure.message) || 'Unknown error';
      this.#broughtIn.doubt(fingerprint);
      const isNew = watch.failure !== text;
      if (!watch.hasFailed) this.#parts.onFailed?.(material, text);
      watch.noteFailure(text);
      this.#noteEnd(stored, { at: at(), failure: text }, isNew);
      if (this.#watches.get(fingerprint) === watch) this.#health.tellFailure(watch);
      return text;
    }
  }

  /** What is not as it was must be known after a restart, however sudden; the rest is written now and then. */
  #noteEnd({ id }: StoredMaterial, note: PollNote, isNews: boolean): void {
    const { materials, onFailure } = this.#parts;
    materials.polled(id, note);
    if (isNews) materials.writePolls().catch((failure: unknown) => onFailure(failure, 'how a look ended could not be noted'));
  }

  /** Who tells of a change may mean one of these. */
  #askBroughtInBy(fingerprint: string): void {
    for (const other of this.#broughtIn.by(fingerprint).keys()) {
      const watch = this.#watches.get(other);
      if (watch && !watch.isTimed) watch.ask();
    }
  }

  #leave(watch: Watch): void {
    const { materials, onFailure } = this.#parts;
    const { fingerprint } = watch.material;
    this.#watches.delete(fingerprint);
    this.#health.clearFailure(watch.material);
    watch.leave();
    this.#fulfil(watch);
    const remove = async () => {
      await watch.job.remove();
      await this.#directories.remove(async () => (await materials.find(fingerprint))?.directory);
    };
    const leaving = remove()
      .catch((failure: unknown) => onFailure(failure, 'the directory of a material could not be removed'))
      .then(() => {
        if (this.#leaving.get(fingerprint) === leaving) this.#leaving.delete(fingerprint);
      });
    this.#leaving.set(fingerprint, leaving);
  }
}

/** Runs of other pipelines are no news of a repository. */
function isPolled({ type }: Material): boolean {
  return type !== 'dependency';
}
