// A change of the configuration that is previewed and made in a dialog.
import { type SaveOptions, type SaveResult, type SaveTarget, saveChange } from './requests.ts';

export interface Change {
  readonly method: SaveTarget['method'];
  readonly address: string;
  readonly version: number;
  readonly body?: object;
  /** The ETag of the replaced version. */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function targetOf({ method, address, version, ifMatch, headers }: Change): SaveTarget {
  return { method, address, version, etag: ifMatch, headers };
}

export function make(change: Change, options: SaveOptions): Promise<SaveResult> {
  return saveChange(targetOf(change), change.body, options);
}
