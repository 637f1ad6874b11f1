// Packs that a larger one has replaced: they stay for a while, for processes that have begun to read them.
import { statSync, utimesSync } from 'node:fs';
import { filesOf, removePack } from './pack-files.ts';

interface SupersededPack {
  readonly name: string;
  readonly bytes: number;
  readonly since: number;
}

/** How long a reader may take from finding a pack to opening it: a check of a whole repository is slow, and begins with the newest pack. */
const STAY_MS = 10 * 60_000;
const MAX_PACKS = 1000;
const MAX_BYTES = 512 * 1024 * 1024;

/** Another process may have removed the pack. */
const QUIETLY = { throwIfNoEntry: false, bigint: false } as const;

export class SupersededPacks {
  readonly #repository: string;
  readonly #stayMs: number;
  #staying: SupersededPack[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(repository: string, stayMs = STAY_MS) {
    this.#repository = repository;
    this.#stayMs = stayMs;
  }

  /** It has just been replaced. */
  add(name: string): void {
    const now = new Date();
    // The time of the index keeps for the next start when the pack was replaced; git looks at the time of the pack, which stays.
    utimesSync(filesOf(this.#repository, name).idx, now, now);
    this.#note(name, now.getTime());
    this.#removeDue();
  }

  /** Starts again with those that are there. */
  reset(names: readonly string[]): void {
    this.forget();
    for (const name of names) this.#note(name, statSync(filesOf(this.#repository, name).idx, QUIETLY)?.mtimeMs ?? 0);
    this.#staying.sort((one, other) => one.since - other.since);
    this.#removeDue();
  }

  forget(): void {
    this.#staying = [];
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #note(name: string, since: number): void {
    const bytes = statSync(filesOf(this.#repository, name).pack, QUIETLY)?.size ?? 0;
    this.#staying.push({ name, bytes, since });
    this.#bytes += bytes;
  }

  #removeDue(): void {
    const now = Date.now();
    const isTooMuch = () => this.#staying.length > MAX_PACKS || this.#bytes > MAX_BYTES;
    while (isTooMuch() || (this.#staying[0] && now - this.#staying[0].since >= this.#stayMs)) {
      const { name, bytes } = this.#staying.shift()!;
      this.#bytes -= bytes;
      removePack(this.#repository, name);
    }
    if (this.#staying.length > 0) this.#timer ??= setTimeout(() => this.#check(), this.#stayMs).unref();
  }

  #check(): void {
    this.#timer = undefined;
    this.#removeDue();
  }
}
