// The server's own copy of the branch of a Mercurial repository that a material follows.
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../kit/command.ts';
import { MaterialProblem, type Surroundings } from '../client.ts';
import { withinSize } from '../size-watch.ts';
import type { Hg } from './hg.ts';

const FOLDER = 'mirror.hg';
/** Written last: without it, a mirror is not complete. It names what is mirrored. */
const LABEL = 'slipway-source';

export class HgMirror {
  readonly path: string;
  readonly #hg: Hg;
  readonly #surroundings: Surroundings;

  constructor(hg: Hg, surroundings: Surroundings) {
    this.path = join(surroundings.directory, FOLDER);
    this.#hg = hg;
    this.#surroundings = surroundings;
  }

  get isThere(): boolean {
    try {
      return readFileSync(join(this.path, LABEL), 'utf8') === this.#label();
    } catch {
      return false;
    }
  }

  /** Makes it what the repository is now. */
  async update(): Promise<void> {
    const { url, branch } = this.#hg;
    const wasThere = this.isThere;
    if (!wasThere) await this.remove();
    const words = wasThere
      ? ['--repository', this.path, 'pull', '--quiet', `--branch=${branch}`, '--', url]
      : ['clone', '--quiet', '--noupdate', '--pull', `--branch=${branch}`, '--', url, this.path];
    const { limits, signal } = this.#surroundings;
    try {
      await withinSize(this.path, limits.mostBytes, signal, (stop) => this.#hg.ask(words, { signal: stop }));
    } catch (failure) {
      if (!wasThere || failure instanceof MaterialProblem) await this.remove();
      throw failure;
    }
    if (!wasThere) writeFileSync(join(this.path, LABEL), this.#label());
  }

  /** Whether it is there but cannot be read. */
  async isDamaged(): Promise<boolean> {
    if (!this.isThere) return false;
    try {
      await this.#hg.run(['--repository', this.path, 'log', '--limit=1', '--template={files}']);
      return false;
    } catch (failure) {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      return true;
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  #label(): string {
    return `${JSON.stringify({ url: this.#hg.url, branch: this.#hg.branch })}\n`;
  }
}
