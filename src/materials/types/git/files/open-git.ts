// Opens a commit that was polled.
import { mkdirSync } from 'node:fs';
import { isGitRevision } from '../../../../kit/text/git-ref.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import type { FileSource } from '../../../files/source.ts';
import { fetchRevision } from '../check-out.ts';
import { gitFor } from '../git.ts';
import { type GitMaterial, refOf } from '../material.ts';
import { isDamage, Mirror } from '../mirror.ts';
import { explainMissingRef } from '../remote.ts';
import { GitFiles } from './git-files.ts';
import { Submodules } from './submodules.ts';

/** Read from the mirror of the material; the remote is asked only when that does not have the revision. */
export function openGit(material: GitMaterial, revision: string, context: PollContext): FileSource {
  if (!isGitRevision(revision)) throw new MaterialProblem(`${revision} is no revision of a git repository.`);
  mkdirSync(context.directory, { recursive: true });
  const git = gitFor(material, context);
  const ref = refOf(material.branch);
  const mirror = new Mirror(git, ref, context);
  const files = new GitFiles({ git, directory: mirror.path, revision, prefix: '', depth: 0 }, new Submodules(material, context));
  return {
    revision,
    async *all() {
      await fetchRevision(mirror, revision).catch(async (failure: unknown) => {
        throw await explainMissingRef(failure, git, ref);
      });
      yield* files.all();
    },
    since: (before) => files.since(before),
    contents: (entries, maxBytes) => files.contents(entries, maxBytes),
    repair: async (failure) => {
      if (!isDamage(failure)) return false;
      await mirror.remove();
      return true;
    },
  };
}
