// What is known of a Mercurial material, and which branch it follows.
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

export function placeOf({ url, branch }: Pick<HgMaterial, 'url' | 'branch'>): { readonly url: string; readonly branch: string } {
  const [, address = '', named = ''] = /^([^#]*)(?:##?(.*))?$/s.exec(url) ?? [];
  return { url: address, branch: branch?.trim() || named.trim() || DEFAULT_BRANCH };
}

/** Whatever is stored as a revision, only this is handed to hg as one. */
export function isRevision(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
