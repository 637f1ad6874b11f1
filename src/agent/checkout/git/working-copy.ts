// The checkout of a git repository: its objects are those of the mirror, so that nothing is copied but the files themselves.
import { lstatSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure } from '../../../kit/process/command-failure.ts';
import type { CheckoutTarget } from '../destination.ts';
import { wouldFailAgain } from '../explain.ts';
import { DamagedCopy } from '../problem.ts';
import { type Git, type GitMaterial, quoted } from './git.ts';
import { type GitMirror, makeGitFolder } from './mirror.ts';
import type { GitRefs } from './ref.ts';
import { packedRefs, refsBelow } from './refs-on-disk.ts';
import { smallText, writeSmall } from './small-files.ts';

const LOCKED = ['index', 'HEAD', 'ORIG_HEAD', 'config', 'packed-refs', 'shallow'];
/** Work that a build began and did not end. */
const UNFINISHED = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
const NO_SUCH_COMMIT = /Could not parse object|bad object|unknown revision|not a valid (?:commit|object)/i;

export class GitWorkingCopy {
  readonly #target: CheckoutTarget;
  readonly #git: Git;
  readonly #material: GitMaterial;
  readonly #refs: GitRefs;
  readonly #mirror: GitMirror;
  #isFresh = false;

  constructor(target: CheckoutTarget, git: Git, material: GitMaterial, refs: GitRefs, mirror: GitMirror) {
    this.#target = target;
    this.#git = git;
    this.#material = material;
    this.#refs = refs;
    this.#mirror = mirror;
  }

  /** Whether this checkout made it: then all other files in the folder are foreign. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  get folder(): string {
    return this.#target.folder;
  }

  /** The files of the revision. False: it is not in the mirror. */
  async reset(): Promise<boolean> {
    await this.#prepare();
    try {
      await this.#run(['reset', '--hard', this.#material.revision]);
      return true;
    } catch (failure) {
      if (failure instanceof CommandFailure && NO_SUCH_COMMIT.test(failure.stderr)) return false;
      if (wouldFailAgain(failure)) throw failure;
      throw new DamagedCopy('The checkout cannot be used.', { cause: failure });
    }
  }

  /** Removes untracked files. Ignored files of an older checkout stay, so that builds can go on from their earlier output. */
  async clean(): Promise<void> {
    const kept = this.#target.kept.map((path) => `--exclude=/${escaped(path)}`);
    await this.#run(['clean', this.#isFresh ? '-ffdx' : '-ffd', ...kept]);
  }

  /** The next reset makes it anew. */
  async forget(): Promise<void> {
    await rm(this.#gitFolder, { recursive: true, force: true });
  }

  #run(args: readonly string[], options: { readonly isQuiet?: boolean } = {}): Promise<string> {
    return this.#git.run([`--git-dir=${this.#gitFolder}`, `--work-tree=${this.folder}`, ...args], { cwd: this.folder, ...options });
  }

  get #gitFolder(): string {
    return join(this.folder, '.git');
  }

  /** Builds may have changed all of it; settings that they wrote must not count for us. */
  async #prepare(): Promise<void> {
    const path = this.#gitFolder;
    const objects = `${join(this.#mirror.path, 'objects').replaceAll('\\', '/')}\n`;
    const borrowed = this.#borrowed();
    if (borrowed !== objects) await this.forget();
    this.#isFresh ||= borrowed !== objects;
    const { branch } = this.#refs;
    for (const name of [...LOCKED, ...(branch === null ? [] : [`refs/heads/${branch}`])])
      rmSync(join(path, `${name}.lock`), { force: true });
    for (const name of UNFINISHED) rmSync(join(path, name), { recursive: true, force: true });
    const remote = ['[remote "origin"]', `\turl = ${quoted(this.#git.address.url)}`, '\tfetch = +refs/heads/*:refs/remotes/origin/*'];
    makeGitFolder(path, this.#material.revision, ['\tbare = false', '\tlogallrefupdates = true', ...remote]);
    writeSmall(join(path, 'objects', 'info', 'alternates'), objects);
    writeSmall(join(path, 'HEAD'), branch === null ? `${this.#material.revision}\n` : `ref: refs/heads/${branch}\n`);
    this.#takeRefs();
  }

  /** undefined: there is no checkout, or something that looks like one. */
  #borrowed(): string | undefined {
    const found = lstatSync(this.#gitFolder, { throwIfNoEntry: false });
    if (!found?.isDirectory()) return found ? '' : undefined;
    return smallText(join(this.#gitFolder, 'objects', 'info', 'alternates'));
  }

  /** Tags and the branch as they are in the repository: builds describe themselves with them. */
  #takeRefs(): void {
    const path = this.#gitFolder;
    const shallow = smallText(join(this.#mirror.path, 'shallow'));
    if (shallow === undefined) rmSync(join(path, 'shallow'), { force: true });
    else writeSmall(join(path, 'shallow'), shallow);
    const refs = new Map([...packedRefs(path), ...refsBelow(this.#mirror.path, 'refs/tags')]);
    const { remote } = this.#refs;
    const tip = this.#mirror.tip();
    if (tip !== undefined && remote.startsWith('refs/heads/')) refs.set(remote.replace('refs/heads/', 'refs/remotes/origin/'), tip);
    const lines = [...refs].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([ref, revision]) => `${revision} ${ref}\n`);
    writeSmall(join(path, 'packed-refs'), lines.join(''));
  }
}

/** As a pattern of git that means just this. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\] ]/g, '\\$&');
}
