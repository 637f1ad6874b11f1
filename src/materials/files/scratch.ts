// A directory that lives as long as its reader; directories left by an ended process are removed when the next one is made.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'reading-';
/** The names of those that are in use. */
const inUse = new Set<string>();

export class Scratch {
  readonly path: string;
  readonly #name: string;

  private constructor(directory: string, name: string) {
    this.#name = name;
    this.path = join(directory, name);
  }

  static async make(directory: string): Promise<Scratch> {
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(directory)) {
      if (name.startsWith(PREFIX) && !inUse.has(name)) await remove(join(directory, name));
    }
    const scratch = new Scratch(directory, `${PREFIX}${randomUUID()}`);
    inUse.add(scratch.#name);
    mkdirSync(scratch.path);
    return scratch;
  }

  async remove(): Promise<void> {
    await remove(this.path);
    inUse.delete(this.#name);
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
