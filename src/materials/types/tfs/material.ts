// What is known of a material in Team Foundation version control.
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

/** Whatever is stored as a revision, only this is handed to tf as one. */
export function isRevision(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}
