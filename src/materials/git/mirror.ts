// The server's own copy of the one branch of a repository that a material follows: bare, kept small, made anew when it is of no use.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../kit/command.ts';
import { MaterialProblem, type Surroundings } from '../client.ts';
import { OwnCopy } from '../own-copy.ts';
import type { RunOptions } from '../program.ts';
import type { Git } from './git.ts';

const FOLDER = 'mirror.git';
/** Each fetch adds one. */
const MOST_PACKS = 30;
/** Lines from the other side begin with `remote:`. What could not be read of a password, or from the other side, is no file of ours. */
const DAMAGED =
  /^(?!remote:).*(?:not a git repository|bad (?:object|revision)|corrupt|unable to read (?!askpass)|could not read (?!username|password|from remote)|missing (?:blob|tree|commit)|inflate|does not match index|refusing to fetch into branch)/im;

export class Mirror {
  readonly #copy: OwnCopy;
  readonly #git: Git;
  readonly #ref: string;

  constructor(git: Git, ref: string, surroundings: Surroundings) {
    this.#copy = new OwnCopy(FOLDER, { url: git.address.url, ref }, surroundings);
    this.#git = git;
    this.#ref = ref;
  }

  get path(): string {
    return this.#copy.path;
  }

  get isThere(): boolean {
    return this.#copy.isThere;
  }

  /** Makes it what the repository is now. */
  async update(): Promise<void> {
    if (!this.isThere) return this.#create();
    this.#tidy();
    await this.#copy.fill((watched) => this.#fetch(watched));
    await this.#compact();
  }

  async #create(): Promise<void> {
    await this.remove();
    await this.#copy.fill(async (watched) => {
      if (this.#ref.startsWith('refs/heads/')) await this.#clone(watched);
      else {
        await this.#git.program.run(['init', '--quiet', '--bare', '--template=', '--', this.path], watched);
        await this.#fetch(watched);
      }
    });
  }

  async remove(): Promise<void> {
    await this.#copy.remove();
  }

  /** Runs a command of git in it. */
  run(words: readonly string[], options?: RunOptions) {
    return this.#git.program.run([`--git-dir=${this.path}`, ...words], options);
  }

  records(words: readonly string[], separator: string) {
    return this.#git.program.records([`--git-dir=${this.path}`, ...words], separator);
  }

  /** Cheaper than a fetch into an empty one, by far for a repository on the same disk. */
  async #clone(options: RunOptions): Promise<void> {
    const branch = this.#ref.slice('refs/heads/'.length);
    const words = ['clone', '--progress', '--bare', '--template=', '--no-tags', '--single-branch', `--branch=${branch}`];
    await this.#git.program.run([...words, '--', this.#git.address.url, this.path], options);
    // A tag of this name would do for git.
    const packed = readFileSync(join(this.path, 'packed-refs'), 'utf8');
    if (!packed.includes(` ${this.#ref}\n`)) throw new MaterialProblem(`The ref ${this.#ref} could not be found.`);
  }

  async #fetch(options: RunOptions): Promise<void> {
    const words = ['fetch', '--progress', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    await this.run([...words, '--', this.#git.address.url, `+${this.#ref}:${this.#ref}`], options);
  }

  /** What git left behind when it was ended; only one works here at a time. */
  #tidy(): void {
    const packs = join(this.path, 'objects', 'pack');
    const leftOvers = [
      ...namesIn(packs)
        .filter((name) => /^tmp_|\.keep$|\.lock$/.test(name))
        .map((name) => join(packs, name)),
      ...['packed-refs.lock', 'HEAD.lock', 'config.lock', 'shallow.lock', `${this.#ref}.lock`].map((name) => join(this.path, name)),
    ];
    for (const path of leftOvers) rmSync(path, { force: true });
  }

  async #compact(): Promise<void> {
    const packs = namesIn(join(this.path, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
    if (packs.length > MOST_PACKS) await this.run(['gc', '--quiet', '--prune=now']);
  }
}

/** Trouble with our own copy, not with the repository. */
export function isDamage(failure: unknown): boolean {
  return failure instanceof CommandFailure && !(failure instanceof CommandStopped) && DAMAGED.test(failure.stderr);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, so nothing is in it
  }
}
