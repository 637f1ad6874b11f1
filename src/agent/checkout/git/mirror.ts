// The agent's own copy of the needed part of a repository: bare, one for each material, and only new objects are fetched into it.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure } from '../../../kit/process/command-failure.ts';
import { wouldFailAgain } from '../explain.ts';
import { DamagedMirror, revisionGone } from '../problem.ts';
import type { Git, GitMaterial } from './git.ts';
import type { GitRefs } from './ref.ts';
import { revisionAt } from './refs-on-disk.ts';
import { writeSmall } from './small-files.ts';

/** Each fetch adds one. */
const MAX_PACKS = 40;
const REF_MISSING = /couldn't find remote ref/i;
/** Of a single revision: it is not there, or the server only hands out revisions that a ref leads to. */
const NOT_HANDED_OUT = /not our ref|unadvertised object|couldn't find remote ref|did not send all necessary objects|no such remote ref/i;
/** Lines from the other side begin with `remote:`. A password or a remote that could not be read is no damage of our files. */
const DAMAGED =
  /^(?!remote:).*(?:fatal: not a git repository|bad (?:object|revision)|corrupt|unable to read (?!askpass)|could not read (?!username|password|from remote)|missing (?:blob|tree|commit)|inflate|does not match index|mismatched algorithms|invalid HEAD|bad config)/im;
/** Files by which git would take settings from another place. We never write them, but builds can. */
const ELSEWHERE = ['commondir', 'config.worktree'];
const FETCH = ['fetch', '--no-recurse-submodules', '--no-write-fetch-head', '--update-shallow'];

export class GitMirror {
  readonly path: string;
  readonly #git: Git;
  readonly #material: GitMaterial;
  readonly #ref: string;

  constructor(path: string, git: Git, material: GitMaterial, { remote }: GitRefs) {
    this.path = path;
    this.#git = git;
    this.#material = material;
    this.#ref = remote;
  }

  get isShallow(): boolean {
    return existsSync(join(this.path, 'shallow'));
  }

  tip(): string | undefined {
    return revisionAt(this.path, this.#ref);
  }

  /** Asks the repository unless the mirror has a ref to the wanted revision. */
  async update(): Promise<void> {
    this.#prepare();
    const { revision, shallow_clone: isShallow } = this.#material;
    if (this.#has(revision) && (isShallow || !this.isShallow)) return;
    if (isShallow && (!existsSync(this.#packs) || this.isShallow || this.tip() === undefined)) {
      if (await this.#fetchOne(this.#ref, ['--depth=1'])) return;
    }
    await this.#fetchBranch();
    await this.#compact();
  }

  /** The one revision, which is not on the branch any more. */
  async fetchRevision(): Promise<void> {
    const { revision, description } = this.#material;
    const ref = keptAt(revision);
    if (revisionAt(this.path, ref) !== undefined) throw new DamagedMirror('A revision is not where it was.');
    if (!(await this.#fetchOne(ref, []))) throw revisionGone(revision, description);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  #has(revision: string): boolean {
    return this.tip() === revision || revisionAt(this.path, keptAt(revision)) !== undefined;
  }

  async #fetchBranch(): Promise<void> {
    const depth = this.isShallow ? ['--unshallow'] : [];
    try {
      await this.#fetch([...depth, '--', this.#source, `+${this.#ref}:${this.#ref}`]);
    } catch (failure) {
      // The branch is deleted; its revisions may be there nevertheless.
      if (!isAbout(failure, REF_MISSING)) throw failure;
    }
  }

  /** False: the repository does not hand it out. */
  async #fetchOne(ref: string, options: readonly string[]): Promise<boolean> {
    try {
      await this.#fetch([...options, '--no-tags', '--', this.#source, `+${this.#material.revision}:${ref}`]);
      return true;
    } catch (failure) {
      if (isAbout(failure, NOT_HANDED_OUT)) return false;
      throw failure;
    }
  }

  async #fetch(args: readonly string[]): Promise<void> {
    try {
      await this.#git.ask([`--git-dir=${this.path}`, ...FETCH, ...args]);
    } catch (failure) {
      if (wouldFailAgain(failure) || !isAbout(failure, DAMAGED)) throw failure;
      throw new DamagedMirror('The copy of the repository cannot be used.', { cause: failure });
    }
  }

  get #source(): string {
    return this.#git.address.url;
  }

  get #packs(): string {
    return join(this.path, 'objects', 'pack');
  }

  /** Creates the mirror if it is missing, and removes the leftovers of a killed git: no other job works here. */
  #prepare(): void {
    for (const name of this.#packFiles().filter((one) => /^tmp_|\.keep$|\.lock$/.test(one)))
      rmSync(join(this.#packs, name), { force: true });
    const locks = ['packed-refs', 'HEAD', 'config', 'shallow', this.#ref, keptAt(this.#material.revision)];
    for (const name of locks) rmSync(join(this.path, `${name}.lock`), { force: true });
    makeGitFolder(this.path, this.#material.revision, ['\tbare = true']);
  }

  #packFiles(): readonly string[] {
    return existsSync(this.#packs) ? readdirSync(this.#packs) : [];
  }

  async #compact(): Promise<void> {
    const packs = this.#packFiles().filter((name) => name.endsWith('.pack'));
    if (packs.length > MAX_PACKS) await this.#git.run([`--git-dir=${this.path}`, 'repack', '-d', '-q', '--geometric=2'], { isQuiet: true });
  }
}

function keptAt(revision: string): string {
  return `refs/kept/${revision}`;
}

function isAbout(failure: unknown, pattern: RegExp): boolean {
  return failure instanceof CommandFailure && pattern.test(failure.stderr);
}

/** All that git needs to take a folder for a repository; `core`: lines for that section of its settings. */
export function makeGitFolder(path: string, revision: string, core: readonly string[]): void {
  for (const folder of ['objects/info', 'refs/heads']) mkdirSync(join(path, folder), { recursive: true });
  for (const name of ELSEWHERE) rmSync(join(path, name), { recursive: true, force: true });
  const isSha256 = revision.length === 64;
  const extensions = isSha256 ? ['[extensions]', '\tobjectformat = sha256'] : [];
  const settings = ['[core]', `\trepositoryformatversion = ${isSha256 ? 1 : 0}`, ...core, ...extensions];
  writeSmall(join(path, 'config'), `${settings.join('\n')}\n`);
  if (!existsSync(join(path, 'HEAD'))) writeSmall(join(path, 'HEAD'), 'ref: refs/heads/none\n');
}
