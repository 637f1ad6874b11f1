// Opens a branch or changeset of a Mercurial repository that somebody asks for, whatever the material follows.
import { join } from 'node:path';
import { CommandFailure, CommandStopped } from '../../../kit/command.ts';
import { MaterialProblem, type Surroundings } from '../../../materials/client.ts';
import { Hg } from '../../../materials/hg/hg.ts';
import { type HgMaterial, isRevision, placeOf } from '../../../materials/hg/material.ts';
import { remoteTip } from '../../../materials/hg/poll.ts';
import { withinSize } from '../../../materials/size-watch.ts';
import { Scratch } from '../scratch.ts';
import type { FileSource } from '../source.ts';
import { hgFiles } from './hg-files.ts';

const MOST_CHARACTERS = 250;
/** It becomes part of a word of a command, and must be nothing else than a name. */
const FORBIDDEN = /^[-.]|[\p{Cc}:]/u;

/** Brought into a repository of its own: who polls meanwhile is not disturbed, and the mirror stays what it is. */
export async function openAskedHg(material: HgMaterial, asked: string, surroundings: Surroundings): Promise<FileSource> {
  if (asked === '' || asked.length > MOST_CHARACTERS || FORBIDDEN.test(asked))
    throw new MaterialProblem(`${JSON.stringify(asked)} is neither the name of a branch nor a whole changeset id.`);
  const scratch = await Scratch.make(surroundings.directory);
  try {
    const within = { ...surroundings, directory: scratch.path };
    const hg = new Hg({ ...material, url: placeOf(material).url, branch: asked }, within);
    const revision = isRevision(asked.toLowerCase()) ? asked.toLowerCase() : await remoteTip(hg);
    const path = join(scratch.path, 'asked.hg');
    const { limits, signal } = surroundings;
    await withinSize(scratch.path, limits.mostBytes, signal, (stop) => bring(hg, revision, path, stop));
    return { ...hgFiles(hg, path, revision, scratch.path), close: () => scratch.remove() };
  } catch (failure) {
    await scratch.remove();
    throw failure;
  }
}

async function bring(hg: Hg, revision: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    await hg.ask(['clone', '--quiet', '--noupdate', '--pull', `--rev=${revision}`, '--', hg.source, path], { signal });
  } catch (failure) {
    if (failure instanceof CommandStopped || !(failure instanceof CommandFailure && /unknown revision/i.test(failure.stderr)))
      throw failure;
    throw new MaterialProblem(`The changeset ${revision} is not in the repository.`);
  }
}
