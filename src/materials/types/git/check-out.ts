// Brings the files of one commit into a directory, with those of its submodules.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../../../kit/process/command.ts';
import { isGitRevision } from '../../../kit/text/git-ref.ts';
import { isLocal } from '../../addresses/address.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import type { Program, RunOptions } from '../../clients/program.ts';
import { withinSize } from '../../clients/size-watch.ts';
import { fetchSubmodules } from './fetch-submodules.ts';
import { type Git, gitFor } from './git.ts';
import { type GitMaterial, refOf } from './material.ts';
import { Mirror } from './mirror.ts';
import { explainMissingRef } from './remote.ts';

export async function checkOutGit(material: GitMaterial, revision: string, into: string, context: PollContext): Promise<void> {
  for (const directory of [context.directory, into]) mkdirSync(directory, { recursive: true });
  const git = gitFor(material, context);
  const ref = refOf(material.branch);
  const mirror = new Mirror(git, ref, context);
  try {
    await fetchRevision(mirror, revision);
  } catch (failure) {
    throw await explainMissingRef(failure, git, ref);
  }
  const { limits, signal } = context;
  await withinSize(into, limits.maxBytes, signal, async (stop) => {
    const options = { cwd: into, signal: stop };
    await checkOutFiles(git.program, mirror.path, revision, options);
    await fetchSubmodules(git.program, originOf(git), options, context);
  });
}

/** The address as it is written, because a link may have other neighbours than its target; a relative path is made absolute. */
function originOf({ address: { url }, source }: Git): string {
  return isLocal(url) && !/^(?:file:\/\/)?\//i.test(url) ? source : url;
}

/** Into the mirror, if it is not there already. */
export async function fetchRevision(mirror: Mirror, revision: string): Promise<void> {
  if (!isGitRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a git repository.`);
  if (await hasRevision(mirror, revision)) return;
  await mirror.update();
  if (!(await hasRevision(mirror, revision))) throw new MaterialProblem(`The revision ${revision} is not in the repository any more.`);
}

async function hasRevision(mirror: Mirror, revision: string): Promise<boolean> {
  if (!mirror.exists) return false;
  try {
    await mirror.run(['cat-file', '-e', `${revision}^{commit}`]);
    return true;
  } catch (failure) {
    if (failure instanceof CommandFailure && failure.exitCode !== null) return false;
    throw failure;
  }
}

/** History is not asked for, so none is brought. */
async function checkOutFiles(git: Program, mirror: string, revision: string, options: RunOptions): Promise<void> {
  if (!existsSync(join(options.cwd!, '.git'))) await git.run(['init', '--quiet', '--template='], options);
  await git.run(['fetch', '--quiet', '--no-tags', '--depth=1', '--no-recurse-submodules', '--', mirror, revision], options);
  await git.run(['checkout', '--quiet', '--force', '--detach', revision], options);
  await git.run(['clean', '-ffdx', '--quiet'], options);
}
