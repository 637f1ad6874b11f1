// Checks out a git repository from a mirror of our own. Damaged copies are made anew: first the checkout, then the mirror, too.
import { isGitRevision } from '../../../kit/text/git-ref.ts';
import { cacheFor } from '../cache.ts';
import type { CheckoutTarget } from '../destination.ts';
import { CheckoutProblem, DamagedCopy, DamagedMirror, DamagedSubmodules } from '../problem.ts';
import type { ToolContext } from '../tool.ts';
import { Git, type GitMaterial, writeSettings } from './git.ts';
import { GitMirror } from './mirror.ts';
import { refsOf } from './ref.ts';
import { updateSubmodules } from './submodules.ts';
import { GitWorkingCopy } from './working-copy.ts';

const MAX_ATTEMPTS = 3;

export async function checkOutGit(
  material: GitMaterial,
  target: CheckoutTarget,
  context: ToolContext & { readonly cacheFolder: string },
): Promise<void> {
  const { revision, branch, fingerprint } = material;
  if (!isGitRevision(revision)) throw new CheckoutProblem(`${revision} is no revision of a git repository: trigger the pipeline again.`);
  const refs = refsOf(branch);
  const cache = cacheFor(context.cacheFolder, 'git', fingerprint);
  const git = new Git(material, `${cache}.settings`, context);
  await writeSettings(`${cache}.settings`, git.address.url);
  const mirror = new GitMirror(`${cache}.git`, git, material, refs);
  const copy = new GitWorkingCopy(target, git, material, refs, mirror);
  for (let attempt = 1; ; attempt++) {
    try {
      await mirror.update();
      await checkOutFiles(mirror, copy);
      await updateSubmodules(git, material, copy.folder, copy.isFresh);
      await copy.clean();
      return;
    } catch (failure) {
      if (!(failure instanceof DamagedCopy)) throw failure;
      const isHopeless = failure instanceof DamagedSubmodules && copy.isFresh;
      if (isHopeless || attempt === MAX_ATTEMPTS) throw failure.cause ?? failure;
      context.err(`${failure.message} It is made anew.`);
      if (failure instanceof DamagedMirror || copy.isFresh) await mirror.remove();
      else await copy.forget();
    }
  }
}

async function checkOutFiles(mirror: GitMirror, copy: GitWorkingCopy): Promise<void> {
  if (await copy.reset()) return;
  await mirror.fetchRevision();
  if (!(await copy.reset())) throw new DamagedMirror('The copy of the repository lacks a revision.');
}
