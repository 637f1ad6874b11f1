// The server's own copy of the one branch of a repository that a material follows: bare, kept small, made anew when it is of no use.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { LocalCopy } from '../../clients/local-copy.ts';
import type { RunOptions } from '../../clients/program.ts';
import type { Git } from './git.ts';
import { revisionIn } from './local-ref.ts';
import { formatOf } from './material.ts';
import { remoteTip } from './remote.ts';
import { runRemoteGit } from './run-remote-git.ts';

const FOLDER = 'mirror.git';
/** Each fetch adds one. */
const MAX_PACKS = 30;
/** Lines from the other side begin with `remote:`. A password or an answer of the other side that could not be read is no file of ours. */
const DAMAGED =
  /^(?!remote:).*(?:not a git repository|bad (?:object|revision)|corrupt|unable to read (?!askpass)|could not read (?!username|password|from remote)|missing (?:blob|tree|commit)|inflate|does not match index|refusing to fetch into branch)/im;
const OTHER_FORMAT = /^fatal: mismatched algorithms: client \w+; server \w+/m;

export class Mirror {
  readonly #copy: LocalCopy;
  readonly #git: Git;
  readonly #ref: string;

  constructor(git: Git, ref: string, context: PollContext) {
    this.#copy = new LocalCopy(FOLDER, { url: git.address.url, ref }, context);
    this.#git = git;
    this.#ref = ref;
  }

  get path(): string {
    return this.#copy.path;
  }

  get exists(): boolean {
    return this.#copy.exists;
  }

  /** Brings it to the current state of the repository. `tip`: the revision of the ref in the repository, when that was asked. */
  async update(tip?: string): Promise<void> {
    if (!this.exists) return this.#create(tip);
    this.#tidy();
    const before = revisionIn(this.path, this.#ref);
    let errorOutput = '';
    try {
      await this.#copy.fill(async (watched) => {
        errorOutput = await this.#fetch(watched);
      });
    } catch (failure) {
      if (!isOfOtherFormat(failure)) throw failure;
      return this.#create(tip);
    }
    if (tip !== undefined && revisionIn(this.path, this.#ref) === before) await this.#mustBeAt(tip, errorOutput);
    await this.#compact();
  }

  /** Git also ends well when it has fetched and then refused to update the ref. */
  async #mustBeAt(tip: string, errorOutput: string): Promise<void> {
    const own = (await this.run(['rev-parse', '--verify', `${this.#ref}^{commit}`])).stdout.trim();
    // The branch may have gone back since, or the first answer may have come from another server.
    if (own === tip || own === (await remoteTip(this.#git, this.#ref))) return;
    throw new MaterialProblem(`Git fetched nothing new, although ${this.#ref} of the repository is at ${tip}.\n${errorOutput}`.trim());
  }

  async #create(tip?: string): Promise<void> {
    await this.remove();
    await this.#copy.fill(async (watched) => {
      if (this.#ref.startsWith('refs/heads/')) await this.#clone(watched);
      else {
        const format = formatOf(tip ?? (await remoteTip(this.#git, this.#ref)));
        await this.#git.program.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', this.path], watched);
        await this.#fetch(watched);
      }
    });
  }

  async remove(): Promise<void> {
    await this.#copy.remove();
  }

  /** Runs a command of git in it. */
  run(args: readonly string[], options?: RunOptions) {
    return this.#git.program.run([`--git-dir=${this.path}`, ...args], options);
  }

  records(args: readonly string[], separator: string) {
    return this.#git.program.records([`--git-dir=${this.path}`, ...args], separator);
  }

  /** Cheaper than a fetch into an empty one, by far for a repository on the same disk. */
  async #clone(options: RunOptions): Promise<void> {
    const branch = this.#ref.slice('refs/heads/'.length);
    const args = ['clone', '--progress', '--bare', '--template=', '--no-tags', '--single-branch', `--branch=${branch}`];
    await runRemoteGit(this.#git, [...args, '--', this.#git.source, this.path], options);
    // A tag of this name would do for git.
    const packed = readFileSync(join(this.path, 'packed-refs'), 'utf8');
    if (!packed.includes(` ${this.#ref}\n`)) throw new MaterialProblem(`The ref ${this.#ref} could not be found.`);
  }

  /** Returns the error output of git, which it may also have when it ends well. */
  async #fetch(options: RunOptions): Promise<string> {
    const args = ['fetch', '--progress', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--update-shallow'];
    const fetch = [`--git-dir=${this.path}`, ...args, '--', this.#git.source, `+${this.#ref}:${this.#ref}`];
    return (await runRemoteGit(this.#git, fetch, options)).stderr;
  }

  /** Removes the files that git left behind when it was ended; only one works here at a time. */
  #tidy(): void {
    const packs = join(this.path, 'objects', 'pack');
    const leftovers = [
      ...namesIn(packs)
        .filter((name) => /^tmp_|\.keep$|\.lock$/.test(name))
        .map((name) => join(packs, name)),
      ...['packed-refs.lock', 'HEAD.lock', 'config.lock', 'shallow.lock', `${this.#ref}.lock`].map((name) => join(this.path, name)),
    ];
    for (const path of leftovers) rmSync(path, { force: true });
  }

  async #compact(): Promise<void> {
    const packs = namesIn(join(this.path, 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
    if (packs.length > MAX_PACKS) await this.run(['gc', '--quiet', '--prune=now']);
  }
}

/** Trouble with our own copy, not with the repository. */
export function isDamage(failure: unknown): boolean {
  return failure instanceof CommandFailure && !(failure instanceof CommandStopped) && DAMAGED.test(failure.stderr);
}

/** The repository has hashes of another kind than the copy: its commits cannot be in there. */
export function isOfOtherFormat(failure: unknown): boolean {
  return failure instanceof CommandFailure && !(failure instanceof CommandStopped) && OTHER_FORMAT.test(failure.stderr);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, so nothing is in it
  }
}
