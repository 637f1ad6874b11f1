// Opens a changeset of a Mercurial repository, straight from the mirror of the material: nothing is checked out.
import { mkdirSync } from 'node:fs';
import { CommandFailure, CommandStopped } from '../../../../kit/process/command.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import type { FileSource } from '../../../files/source.ts';
import { Hg } from '../hg.ts';
import { fetchRevision } from '../hg-client.ts';
import { type HgMaterial, isRevision } from '../material.ts';
import { HgMirror } from '../mirror.ts';
import { hgFiles } from './hg-files.ts';

/** Trouble with our own copy that can be seen only where files are looked at. */
const DAMAGED = /no node|integrity|corrupt|unknown (?:version|flags|parent)|revlog|decompress|no such file/i;

export function openHg(material: HgMaterial, revision: string, context: PollContext): FileSource {
  if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a Mercurial repository.`);
  mkdirSync(context.directory, { recursive: true });
  const hg = new Hg(material, context);
  const mirror = new HgMirror(hg, context);
  const files = hgFiles(hg, mirror.path, revision, context.directory);
  return {
    ...files,
    async *all() {
      if (!mirror.exists) await fetchRevision(hg, mirror, revision);
      yield* files.all();
    },
    repair: async (failure) => {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) return false;
      if (DAMAGED.test(failure.stderr)) await mirror.remove();
      await fetchRevision(hg, mirror, revision);
      return true;
    },
  };
}
