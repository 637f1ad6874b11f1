// The attributes of a git material, and the ref of its repository that it follows.
import { isGitRef } from '../../../kit/text/git-ref.ts';
import { MaterialProblem, type PolledMaterial } from '../../clients/client.ts';

export interface GitMaterial extends PolledMaterial {
  readonly type: 'git';
  readonly url: string;
  /** A name of a branch, or a refspec `source:destination`. */
  readonly branch: string;
  readonly username?: string | null;
  readonly password?: string | null;
  /** Limits the poll to commits that touch one of these paths, and their files to these paths; as `git log` understands paths. */
  readonly paths?: readonly string[];
}

const DEFAULT_BRANCH = 'master';

/** The ref that a branch or a refspec names. The destination of a refspec is only the name of the ref at the agent. */
export function refOf(branch: string): string {
  const name = branch.trim() || DEFAULT_BRANCH;
  const [source] = name.split(':', 1);
  const ref = name.includes(':') ? source! : `refs/heads/${name}`;
  if (!isGitRef(ref)) throw new MaterialProblem(`${JSON.stringify(name)} names neither a branch nor a ref.`);
  return ref;
}

/** The object format of a repository, by its name in git; all of its revisions have the same. */
export type ObjectFormat = 'sha1' | 'sha256';

export function formatOf(revision: string): ObjectFormat {
  return revision.length === 40 ? 'sha1' : 'sha256';
}
