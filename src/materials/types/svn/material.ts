// The attributes of a Subversion material.
import type { PolledMaterial } from '../../clients/client.ts';

export interface SvnMaterial extends PolledMaterial {
  readonly type: 'svn';
  readonly url: string;
  readonly checkExternals: boolean;
  readonly username?: string | null;
  readonly password?: string | null;
  /** The property of another one names it. */
  readonly isExternal?: boolean;
}

export function isSvn(material: PolledMaterial): material is SvnMaterial {
  return material.type === 'svn';
}

/** Only a text of this form is handed to svn as a revision. */
export function isRevision(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}
