// The directories of materials: only one task works in each at a time, and they are removed when no material uses them any more.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { Semaphore } from '../../kit/concurrency/limits/semaphore.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';

const REMOVALS_AT_ONCE = 4;
/** The name of a directory of a material: the folder holds other things, too. */
const OF_A_MATERIAL = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class MaterialDirectories {
  readonly #folder: string;
  /** The directories found at the start, each with the fingerprint of its material; undefined: no stored material owns it. */
  readonly #old: ReadonlyMap<string, string | undefined>;
  readonly #mutex = new KeyedMutex();
  readonly #removals = new Semaphore(REMOVALS_AT_ONCE, Number.POSITIVE_INFINITY, 2 ** 31 - 1);
  #tidying: Promise<void> | undefined;
  #isClosing = false;

  private constructor(folder: string, old: ReadonlyMap<string, string | undefined>) {
    this.#folder = folder;
    this.#old = old;
  }

  static async open(folder: string, stored: readonly Pick<StoredMaterial, 'directory' | 'fingerprint'>[]): Promise<MaterialDirectories> {
    const owners = new Map(stored.map(({ directory, fingerprint }) => [directory, fingerprint]));
    const names = (await namesIn(folder)).filter((name) => OF_A_MATERIAL.test(name));
    return new MaterialDirectories(folder, new Map(names.map((name) => [name, owners.get(name)])));
  }

  /** Runs work in a directory, after all earlier work there. */
  take<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#mutex.run(name, work, signal);
  }

  /** Finds one and removes it, when it is its turn: very many may leave at once. */
  async remove(find: () => Promise<string | undefined>): Promise<void> {
    const release = await this.#removals.acquire();
    try {
      const name = await find();
      if (name !== undefined) await this.take(name, () => this.#remove(name));
    } finally {
      release?.();
    }
  }

  /** Removes unused directories, once: a server that was stopped right after a change could not do it. */
  tidy(isUsed: (fingerprint: string) => boolean): Promise<void> {
    this.#tidying ??= this.#removeOld(isUsed);
    return this.#tidying;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#tidying?.catch(() => {}); // the caller of `tidy` reports it
  }

  async #removeOld(isUsed: (fingerprint: string) => boolean): Promise<void> {
    for (const [name, fingerprint] of this.#old) {
      const mayGo = () => !this.#isClosing && !(fingerprint !== undefined && isUsed(fingerprint));
      if (mayGo()) await this.take(name, async () => mayGo() && this.#remove(name));
    }
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return []; // nothing was ever polled
    throw failure;
  }
}
