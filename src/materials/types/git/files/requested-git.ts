// Opens a branch or commit of a git repository that a caller asks for, whatever branch the material follows.
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import { withinSize } from '../../../clients/size-watch.ts';
import { Scratch } from '../../../files/scratch.ts';
import type { FileSource } from '../../../files/source.ts';
import { type Git, gitFor } from '../git.ts';
import { formatOf, type GitMaterial, type ObjectFormat, refOf } from '../material.ts';
import { isOfOtherFormat, Mirror } from '../mirror.ts';
import { explainMissingRef } from '../remote.ts';
import { runRemoteGit } from '../run-remote-git.ts';
import { GitFiles } from './git-files.ts';
import { hasTree } from './has-tree.ts';
import { type RequestedRef, requestedRef } from './requested-ref.ts';
import { FETCH_ARGS, NOT_BY_ID } from './submodule-copy.ts';
import { Submodules } from './submodules.ts';

const OWN_REF = 'refs/slipway/asked';

/** Fetched into a repository of its own, which borrows objects from the mirror: concurrent polls are not disturbed. */
export async function openRequestedGit(material: GitMaterial, requested: string, context: PollContext): Promise<FileSource> {
  const wanted = requestedRef(requested);
  if (!wanted) throw new MaterialProblem(`${JSON.stringify(requested)} is neither the name of a branch nor a whole commit id.`);
  const scratch = await Scratch.make(context.directory);
  try {
    const within = { ...context, directory: scratch.path };
    const git = gitFor(material, within);
    const mirror = new Mirror(gitFor(material, context), refOf(material.branch), context);
    const directory = join(scratch.path, 'asked.git');
    const { limits, signal } = context;
    await withinSize(scratch.path, limits.maxBytes, signal, (stop) => fetchRef(git, directory, wanted, mirror, stop));
    const commit = { git, directory, revision: await commitOf(git, directory, requested), prefix: '', depth: 0 };
    return new GitFiles(commit, new Submodules(material, within), () => scratch.remove());
  } catch (failure) {
    await scratch.remove();
    throw failure;
  }
}

/** Nearly all repositories are of the older format, and it costs a question to know. */
async function fetchRef(git: Git, directory: string, wanted: RequestedRef, mirror: Mirror, signal: AbortSignal): Promise<void> {
  try {
    await fetchAs('commit' in wanted ? formatOf(wanted.commit) : 'sha1', git, directory, wanted, mirror, signal);
  } catch (failure) {
    if ('commit' in wanted || !isOfOtherFormat(failure)) throw failure;
    await rm(directory, { recursive: true });
    await fetchAs('sha256', git, directory, wanted, mirror, signal);
  }
}

async function fetchAs(
  format: ObjectFormat,
  git: Git,
  directory: string,
  wanted: RequestedRef,
  mirror: Mirror,
  signal: AbortSignal,
): Promise<void> {
  const { program, source: from } = git;
  const run = (...args: readonly string[]) => program.run([`--git-dir=${directory}`, ...args], { signal });
  await program.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', directory], { signal });
  if (mirror.exists) writeFileSync(join(directory, 'objects', 'info', 'alternates'), `${join(mirror.path, 'objects')}\n`);
  if ('commit' in wanted && mirror.exists && (await hasTree(program, directory, wanted.commit))) {
    await run('update-ref', OWN_REF, wanted.commit);
    return;
  }
  const source = 'commit' in wanted ? wanted.commit : wanted.ref;
  try {
    const args = [...FETCH_ARGS, ...(mirror.exists ? [] : ['--depth=1']), '--', from, `+${source}:${OWN_REF}`];
    await runRemoteGit(git, [`--git-dir=${directory}`, ...args], { signal });
  } catch (failure) {
    if ('ref' in wanted) throw await explainMissingRef(failure, git, wanted.ref);
    if (!(failure instanceof CommandFailure && NOT_BY_ID.test(failure.stderr))) throw failure;
    throw new MaterialProblem(`The commit ${wanted.commit} is not in the repository.`);
  }
}

/** Tags lead to commits, too. */
async function commitOf({ program }: Git, directory: string, requested: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', `${OWN_REF}^{commit}`];
    return (await program.run([`--git-dir=${directory}`, ...args])).stdout.trim();
  } catch (failure) {
    if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
    throw new MaterialProblem(`${requested} is no commit.`);
  }
}
