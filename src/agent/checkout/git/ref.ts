// Which ref of a git repository is fetched, and its name in the checkout.
import { CheckoutProblem } from '../problem.ts';

export interface GitRefs {
  /** In the repository. */
  readonly remote: string;
  /** The branch of the checkout; null: it has none. */
  readonly branch: string | null;
}

const DEFAULT_BRANCH = 'master';
/** Names that git never takes as a ref; no option, pattern or range gets past it. */
const NO_REF = /^(?!refs\/)|[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|[./]$|\.lock(?:\/|$)/;

/** `branch`: the name of one, or a refspec `source:destination`. */
export function refsOf(branch: string): GitRefs {
  const name = branch.trim() || DEFAULT_BRANCH;
  const isRefspec = name.includes(':');
  const [source = '', called = ''] = isRefspec ? name.split(':') : [`refs/heads/${name}`, name];
  if (NO_REF.test(source))
    throw new CheckoutProblem(`${JSON.stringify(name)} names neither a branch nor a ref: correct the branch of the material.`);
  const local = called.replace(/^refs\/heads\//, '');
  return { remote: source, branch: NO_REF.test(`refs/heads/${local}`) || local.startsWith('refs/') ? null : local };
}

/** Only a full hash is handed to git as a revision. */
export function isRevision(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
