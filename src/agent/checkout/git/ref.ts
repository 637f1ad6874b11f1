// Which ref of a git repository is fetched, and its name in the checkout.
import { isGitRef } from '../../../kit/text/git-ref.ts';
import { CheckoutProblem } from '../problem.ts';

export interface GitRefs {
  /** In the repository. */
  readonly remote: string;
  /** The branch of the checkout; null: it has none. */
  readonly branch: string | null;
}

const DEFAULT_BRANCH = 'master';
/** `branch`: the name of one, or a refspec `source:destination`. */
export function refsOf(branch: string): GitRefs {
  const name = branch.trim() || DEFAULT_BRANCH;
  const isRefspec = name.includes(':');
  const [source = '', called = ''] = isRefspec ? name.split(':') : [`refs/heads/${name}`, name];
  if (!isGitRef(source))
    throw new CheckoutProblem(`${JSON.stringify(name)} names neither a branch nor a ref: correct the branch of the material.`);
  const local = called.replace(/^refs\/heads\//, '');
  return { remote: source, branch: !isGitRef(`refs/heads/${local}`) || local.startsWith('refs/') ? null : local };
}
