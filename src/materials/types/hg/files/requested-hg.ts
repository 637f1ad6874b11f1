// Opens a branch or changeset of a Mercurial repository that a caller asks for, whatever branch the material follows.
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import { withinSize } from '../../../clients/size-watch.ts';
import { Scratch } from '../../../files/scratch.ts';
import type { FileSource } from '../../../files/source.ts';
import { Hg } from '../hg.ts';
import { type HgMaterial, isRevision, urlAndBranchOf } from '../material.ts';
import { hgFiles } from './hg-files.ts';

const MAX_CHARACTERS = 250;
/** What a requested name must not hold: it becomes part of an argument of hg, which must take it for nothing but a name. */
const FORBIDDEN = /^[-.]|[\p{Cc}:]/u;

/** Fetched into a repository of its own: concurrent polls are not disturbed, and the mirror stays unchanged. */
export async function openRequestedHg(material: HgMaterial, requested: string, context: PollContext): Promise<FileSource> {
  if (requested === '' || requested.length > MAX_CHARACTERS || FORBIDDEN.test(requested))
    throw new MaterialProblem(`${JSON.stringify(requested)} is neither the name of a branch nor a whole changeset id.`);
  const scratch = await Scratch.make(context.directory);
  try {
    const within = { ...context, directory: scratch.path };
    const hg = new Hg({ ...material, url: urlAndBranchOf(material).url, branch: requested }, within);
    const path = join(scratch.path, 'asked.hg');
    const { limits, signal } = context;
    const revision = await withinSize(scratch.path, limits.maxBytes, signal, (stop) =>
      isRevision(requested.toLowerCase()) ? fetchRevision(hg, requested.toLowerCase(), path, stop) : fetchBranch(hg, path, stop),
    );
    return { ...hgFiles(hg, path, revision, scratch.path), close: () => scratch.remove() };
  } catch (failure) {
    await scratch.remove();
    throw failure;
  }
}

async function fetchRevision(hg: Hg, revision: string, path: string, signal: AbortSignal): Promise<string> {
  await fetchInto(hg, [`--rev=${revision}`], path, signal, /unknown revision/i, `The changeset ${revision} is not in the repository.`);
  return revision;
}

/** A branch and nothing else: as a revision hg would also take numbers, tags, bookmarks, and questions that it has to work out. */
async function fetchBranch(hg: Hg, path: string, signal: AbortSignal): Promise<string> {
  const unknown = `The branch ${hg.branch} could not be found.`;
  await fetchInto(hg, [`--branch=${hg.branch}`], path, signal, /unknown branch/i, unknown);
  const args = ['--repository', path, 'branches', '--closed', '--template={branch}\\0{node}\\0'];
  const fields = (await hg.run(args, { signal })).split('\0');
  const index = fields.findIndex((name, at) => at % 2 === 0 && name === hg.branch);
  if (index < 0) throw new MaterialProblem(unknown);
  return fields[index + 1]!;
}

async function fetchInto(
  hg: Hg,
  what: readonly string[],
  path: string,
  signal: AbortSignal,
  isUnknown: RegExp,
  unknown: string,
): Promise<void> {
  try {
    await hg.runRemote(['clone', '--quiet', '--noupdate', '--pull', ...what, '--', hg.source, path], { signal });
  } catch (failure) {
    if (failure instanceof CommandStopped || !(failure instanceof CommandFailure && isUnknown.test(failure.stderr))) throw failure;
    throw new MaterialProblem(unknown);
  }
}
