// The attributes of a Mercurial material, and the branch that it follows.
import type { PolledMaterial } from '../../clients/client.ts';

export interface HgMaterial extends PolledMaterial {
  readonly type: 'hg';
  /** May name the branch after `#` or `##`. */
  readonly url: string;
  readonly branch?: string | null;
  readonly username?: string | null;
  readonly password?: string | null;
}

const DEFAULT_BRANCH = 'default';

export function urlAndBranchOf({ url, branch }: Pick<HgMaterial, 'url' | 'branch'>): { readonly url: string; readonly branch: string } {
  const [, address = '', named = ''] = /^([^#]*)(?:##?(.*))?$/s.exec(url) ?? [];
  return { url: address, branch: branch?.trim() || named.trim() || DEFAULT_BRANCH };
}

/** Only a text of this form is handed to hg as a revision. */
export function isRevision(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
