// The submodules of a commit, to be read like the rest of it; only from addresses that submodules may have.
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { isLocal, maskedAddress, openAddress } from '../../../addresses/address.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import type { PathProblem } from '../../../files/contract.ts';
import { REMOTE_PROTOCOLS } from '../fetch-submodules.ts';
import { type Git, gitFor } from '../git.ts';
import type { GitMaterial } from '../material.ts';
import type { Commit } from './commit.ts';
import { MODULES_ARGS, type NamedSubmodule, namedSubmodules } from './modules-file.ts';
import { serverOf, submoduleAddress } from './submodule-address.ts';
import { fetchCommit } from './submodule-copy.ts';
import type { TreeEntry } from './tree-reader.ts';

export const MODULES_FILE = '.gitmodules';
const NO_SUCH_FILE = /unable to resolve config blob/;
const MAX_SUBMODULES = 50;
const MAX_DEPTH = 5;

export class Submodules {
  readonly #material: GitMaterial;
  readonly #context: PollContext;
  #count = 0;

  constructor(material: GitMaterial, context: PollContext) {
    this.#material = material;
    // Committers of the repository name the submodules.
    this.#context = { ...context, isLimitedToFolders: true };
  }

  /** Submodules that the repository says nothing about are none. */
  async *open(outer: Commit, entries: readonly TreeEntry[]): AsyncGenerator<Commit | PathProblem, void> {
    if (outer.depth === 0) this.#count = 0;
    const named = await this.#named(outer);
    if (!named) {
      const path = `${outer.prefix}${MODULES_FILE}`;
      yield { path, message: `${path} cannot be read.` };
      return;
    }
    const urls = new Map(named.map(({ path, url }) => [path, url]));
    for (const { path: inner, id } of entries) {
      const written = urls.get(inner);
      const path = `${outer.prefix}${inner}`;
      if (written === undefined) continue;
      const url = submoduleAddress(written, outer.git.address.url);
      if (url === undefined)
        yield { path, message: `The submodule ${path} is at ${maskedAddress(written)}, which submodules must not be.` };
      else if (++this.#count > MAX_SUBMODULES) yield { path, message: `The submodule ${path} is one of more than ${MAX_SUBMODULES}.` };
      else if (outer.depth >= MAX_DEPTH) yield { path, message: `The submodule ${path} is within more than ${MAX_DEPTH} others.` };
      else {
        const git = await this.#gitFor(url);
        if (git instanceof MaterialProblem) yield { path, message: `The submodule ${path} cannot be read: ${git.message}` };
        else yield { ...(await this.#fetchCommit(outer, git, id)), prefix: `${path}/`, depth: outer.depth + 1 };
      }
    }
  }

  /** undefined: git cannot read the file .gitmodules. */
  async #named({ git, directory, revision }: Commit): Promise<readonly NamedSubmodule[] | undefined> {
    try {
      const args = [`--git-dir=${directory}`, ...MODULES_ARGS.toSpliced(1, 0, `--blob=${revision}:${MODULES_FILE}`)];
      return namedSubmodules((await git.program.run(args)).stdout);
    } catch (failure) {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      return failure.stderr === '' || NO_SUCH_FILE.test(failure.stderr) ? [] : undefined;
    }
  }

  async #fetchCommit({ git: outer }: Commit, git: Git, revision: string): Promise<Pick<Commit, 'git' | 'directory' | 'revision'>> {
    const protocols: Record<string, string> = isLocal(outer.address.url) ? {} : { GIT_ALLOW_PROTOCOL: REMOTE_PROTOCOLS };
    return { git, revision, directory: await fetchCommit(git, revision, protocols, this.#context) };
  }

  /** Addresses can be wrong in more ways than one, and lead where this server must not go. */
  async #gitFor(url: string): Promise<Git | MaterialProblem> {
    try {
      const git = gitFor(this.#materialAt(url), this.#context);
      await git.route.environment();
      return git;
    } catch (failure) {
      if (failure instanceof MaterialProblem) return failure;
      throw failure;
    }
  }

  /** A submodule may name any server: the password is only for the server it was entered for. */
  #materialAt(url: string): GitMaterial {
    const { url: own, username, password, fingerprint } = this.#material;
    const { url: address, login } = openAddress(own, { username: username ?? null, password: password ?? null });
    const isSame = serverOf(address) !== undefined && serverOf(url) === serverOf(address);
    return { type: 'git', fingerprint, url, branch: '', ...(isSame && login) };
  }
}
