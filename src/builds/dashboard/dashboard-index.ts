// The dashboard in memory: one row for each pipeline, read again when something has happened to it, never because a client asks.
// It runs on one server at a time, from each `start` to the next `stop`.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { chunksOf } from '../../kit/chunks.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { type DashboardReader, MAX_PIPELINES_AT_ONCE } from '../../store/builds/dashboard-rows.ts';
import { ChangedRows, type RowChange } from './changed-rows.ts';
import { type DashboardFacts, type DashboardPipeline, factsOf } from './facts.ts';

export interface DashboardRow {
  readonly facts: DashboardFacts;
  /** The version of the dashboard with the last change of this row. */
  readonly version: number;
  /** When; milliseconds. */
  readonly changedAt: number;
}

export interface DashboardParts {
  readonly reader: Pick<DashboardReader, 'read'>;
  /** The keys of all pipelines. */
  keys(): readonly string[];
  /** The pipeline as it is configured; undefined: it is not. */
  find(key: string): DashboardPipeline | undefined;
  now(): number;
  onFailure(failure: unknown): void;
}

/** Changes within this time are read together. */
const GATHERED_MS = 50;
const RETRY_MS = 1000;
const REMEMBERED = 20_000;

export class DashboardIndex {
  readonly #parts: DashboardParts;
  readonly #rows = new Map<string, DashboardRow>();
  readonly #changes: ChangedRows;
  readonly #dirty = new Set<string>();
  /** The keys in order; undefined: rows have come or gone since. */
  #order: readonly string[] | undefined;
  #epoch = '';
  #version = 0;
  #isStarted = false;
  #loaded: Promise<void> = Promise.resolve();
  #isLoaded = false;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How many rows have stages with approvers of their own. */
  #withApprovers = 0;

  constructor(parts: DashboardParts, remembered = REMEMBERED) {
    this.#parts = parts;
    this.#changes = new ChangedRows(remembered);
  }

  /** Does not wait until everything is read. */
  start(): void {
    this.#clear();
    this.#isStarted = true;
    this.#epoch = randomBytes(6).toString('hex');
    for (const key of this.#parts.keys()) this.#dirty.add(key);
    this.#loaded = this.#load(this.#epoch);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#clear();
    await this.#refreshing;
    await this.#loaded;
    this.#clear();
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Another one after each start: versions count from it. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Grows with every change of a row. */
  get version(): number {
    return this.#version;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Whether any stage names its own approvers, so that more than the group decides which users may operate it. */
  get hasApprovers(): boolean {
    return this.#withApprovers > 0;
  }

  /** To be called when something has happened to these pipelines. */
  touch(keys: Iterable<string>): void {
    if (!this.#isStarted) return;
    for (const key of keys) this.#dirty.add(key);
    if (this.#dirty.size > 0 && this.#isLoaded) this.#schedule(GATHERED_MS);
  }

  /** Returns when all changes until now have been read. */
  async current(): Promise<void> {
    if (!this.#isStarted) throw new NotKeeper();
    await this.#loaded;
    // The read under way may have begun too early.
    await this.#refreshing;
    if (this.#dirty.size > 0) await this.#refresh();
    if (!this.#isStarted) throw new NotKeeper();
  }

  /** Returns when all has been read once; false: that takes longer than this. */
  loadedWithin(milliseconds: number): Promise<boolean> {
    if (!this.#isStarted) throw new NotKeeper();
    if (this.#isLoaded) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), milliseconds);
    void this.#loaded.then(() => resolve(this.#isLoaded));
    return promise.finally(() => clearTimeout(timer));
  }

  find(key: string): DashboardRow | undefined {
    return this.#rows.get(key);
  }

  /** In the order of their names. */
  rows(): readonly DashboardRow[] {
    this.#order ??= [...this.#rows.keys()].toSorted();
    return this.#order.map((key) => this.#rows.get(key)!);
  }

  /** Undefined: the changes since then are not known any more, or never were. */
  changesSince(epoch: string, version: number): readonly RowChange[] | undefined {
    return epoch === this.#epoch && version <= this.#version ? this.#changes.since(version) : undefined;
  }

  async #load(epoch: string): Promise<void> {
    // A failure is reported, and loading is tried again: until then there is nothing to show.
    while (this.#isStarted && this.#epoch === epoch && !this.#isLoaded) {
      await this.#refresh();
      if (this.#epoch !== epoch || !this.#isStarted) return;
      if (this.#dirty.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        continue;
      }
      this.#isLoaded = true;
      this.#changes.beginAt(this.#version);
    }
  }

  #schedule(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, milliseconds);
    this.#timer.unref();
  }

  /** Never fails: pipelines that could not be read are read again later. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readDirty()
      .catch((failure: unknown) => {
        if (!this.#isStarted) return;
        this.#parts.onFailure(failure);
        if (this.#isLoaded) this.#schedule(RETRY_MS);
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #readDirty(): Promise<void> {
    const epoch = this.#epoch;
    const waiting = [...this.#dirty];
    for (const keys of chunksOf(waiting, MAX_PIPELINES_AT_ONCE)) {
      for (const key of keys) this.#dirty.delete(key);
      try {
        await this.#read(keys, epoch);
      } catch (failure) {
        if (this.#epoch === epoch) for (const key of keys) this.#dirty.add(key);
        throw failure;
      }
      await pause();
      if (this.#epoch !== epoch || !this.#isStarted) return;
    }
  }

  async #read(keys: readonly string[], epoch: string): Promise<void> {
    const rows = await this.#parts.reader.read(keys);
    if (this.#epoch !== epoch || !this.#isStarted) return;
    for (const key of keys) {
      const pipeline = this.#parts.find(key);
      this.#put(key, pipeline && factsOf(pipeline, rows));
      // Stages that come from templates are made anew for each pipeline.
      const breath = pause();
      if (breath) await breath;
      if (this.#epoch !== epoch || !this.#isStarted) return;
    }
  }

  #put(key: string, facts: DashboardFacts | undefined): void {
    const known = this.#rows.get(key);
    if (facts === undefined ? !known : known && isDeepStrictEqual(known.facts, facts)) return;
    this.#withApprovers += Number(hasApprovers(facts)) - Number(hasApprovers(known?.facts));
    const version = ++this.#version;
    if (facts) this.#rows.set(key, { facts, version, changedAt: this.#parts.now() });
    else this.#rows.delete(key);
    if (!known || !facts) this.#order = undefined;
    const { name } = (facts ?? known!.facts).pipeline;
    this.#changes.add({ version, key, name, from: known?.facts.pipeline.group });
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#rows.clear();
    this.#dirty.clear();
    this.#order = undefined;
    this.#epoch = '';
    this.#version = 0;
    this.#withApprovers = 0;
    this.#isLoaded = false;
    this.#changes.beginAt(0);
  }
}

function hasApprovers(facts: DashboardFacts | undefined): boolean {
  return facts?.pipeline.stages.some(({ approvers }) => approvers !== undefined) ?? false;
}
