// A change of the configuration that is previewed and made in a dialog, and what it came to.
import { request } from '../../api/client.ts';
import { type Saved as SavedAnswer, type SaveOptions, type SaveTarget, saveChange } from './requests.ts';

export interface Change {
  readonly method: SaveTarget['method'];
  readonly address: string;
  readonly version: number;
  readonly body?: object;
  /** The ETag of what is replaced. */
  readonly ifMatch?: string;
}

export interface Loaded<T> {
  readonly body: T;
  readonly etag: string;
}

export interface Saved<T> extends Loaded<T> {
  readonly revision: number | undefined;
}

export async function load<T>(address: string, version: number, signal?: AbortSignal): Promise<Loaded<T>> {
  const response = await request(address, { version, signal });
  return { body: (await response.json()) as T, etag: response.headers.get('ETag') ?? '' };
}

export function targetOf({ method, address, version, ifMatch }: Change): SaveTarget {
  return { method, address, version, etag: ifMatch };
}

export function make(change: Change, options: SaveOptions): Promise<SavedAnswer> {
  return saveChange(targetOf(change), change.body, options);
}
