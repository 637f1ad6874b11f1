// The attributes of a material in Team Foundation version control.
import type { PolledMaterial } from '../../clients/client.ts';

export interface TfsMaterial extends PolledMaterial {
  readonly type: 'tfs';
  /** Of the collection. */
  readonly url: string;
  readonly username: string;
  readonly password?: string | null;
  readonly domain?: string | null;
  /** `$/project/folder` */
  readonly projectPath: string;
}

/** Only a text of this form is handed to tf as a revision. */
export function isRevision(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}
