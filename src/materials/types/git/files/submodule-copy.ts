// A bare copy of the commits that are wanted of a submodule, without their history.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../kit/bytes/hash.ts';
import { CommandFailure } from '../../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import { LocalCopy } from '../../../clients/local-copy.ts';
import type { Git } from '../git.ts';
import { formatOf } from '../material.ts';
import { runRemoteGit } from '../run-remote-git.ts';
import { hasTree } from './has-tree.ts';

/** Each commit adds one. */
const MAX_PACKS = 30;
export const FETCH_ARGS = ['fetch', '--progress', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--update-shallow'];
/** Some servers give commits only by the names of branches. */
export const NOT_BY_ID = /not our ref|unadvertised object|couldn't find remote ref/i;

/** Gives the directory of the copy, which holds the commit then. */
export async function fetchCommit(
  git: Git,
  commit: string,
  protocols: Readonly<Record<string, string>>,
  context: PollContext,
): Promise<string> {
  const { program, address, source } = git;
  const { url } = address;
  const format = formatOf(commit);
  // A copy with another format of hashes is not of this repository.
  const label = format === 'sha1' ? { url } : { url, format };
  const copy = new LocalCopy(join('submodules', `${sha256(url).slice(0, 16)}.git`), label, context);
  if (copy.exists && (await hasTree(program, copy.path, commit))) return copy.path;
  if (!copy.exists || packsIn(copy.path) >= MAX_PACKS) await copy.remove();
  await copy.fill(async (watched) => {
    const fetch = (...args: readonly string[]) =>
      runRemoteGit(git, [`--git-dir=${copy.path}`, ...FETCH_ARGS, ...args], { ...watched, env: protocols });
    const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', copy.path];
    if (!copy.exists) await program.run(init, watched);
    try {
      await fetch('--depth=1', '--', source, `+${commit}:refs/slipway/${commit}`);
    } catch (failure) {
      if (!(failure instanceof CommandFailure && NOT_BY_ID.test(failure.stderr))) throw failure;
      await fetch('--', source, '+refs/heads/*:refs/heads/*');
    }
  });
  if (await hasTree(program, copy.path, commit)) return copy.path;
  throw new MaterialProblem(`The commit ${commit} of a submodule is not in the repository ${url}.`);
}

function packsIn(directory: string): number {
  return readdirSync(join(directory, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length;
}
