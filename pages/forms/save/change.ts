// A change of the configuration: tried out first, then made.
import { type RequestOptions, request } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';

export interface Change {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly address: string;
  readonly version: number;
  readonly body?: object;
  /** The ETag of what is replaced. */
  readonly ifMatch?: string;
}

/** One field that is different, in words. */
export interface Difference {
  readonly path: string;
  readonly words: string;
}

export interface PlannedChange {
  readonly resource: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly differences: readonly Difference[];
  /** Whoever asks may not look at it. */
  readonly is_hidden?: boolean;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly more_changes?: number;
  /** What refers to what changes. */
  readonly affected: readonly { readonly resource: string; readonly id: string }[];
}

/** Somebody else was faster: what both have done since. */
export interface Conflict {
  readonly changes: readonly {
    readonly revision: number;
    readonly time: string;
    readonly actor: string;
    readonly reason: string | null;
  }[];
  readonly yours: readonly Difference[];
  readonly theirs?: readonly Difference[];
  readonly overlaps?: readonly { readonly path: string; readonly base?: unknown; readonly yours?: unknown; readonly theirs?: unknown }[];
  readonly can_be_merged?: boolean;
}

export interface Loaded<T> {
  readonly body: T;
  readonly etag: string;
}

export interface Saved<T> extends Loaded<T> {
  readonly revision: number | undefined;
}

export interface Manner {
  readonly reason?: string;
  /** Keep what others have changed since. */
  readonly merges?: boolean;
}

export async function load<T>(address: string, version: number, signal?: AbortSignal): Promise<Loaded<T>> {
  return loadedFrom<T>(await request(address, { version, signal }));
}

/** What the change would do. Nothing is changed. */
export async function planOf(change: Change, manner: Manner = {}): Promise<Plan> {
  const separator = change.address.includes('?') ? '&' : '?';
  const response = await request(`${change.address}${separator}dry_run=true`, optionsOf(change, manner));
  const { _plan: plan } = (await response.json()) as { readonly _plan?: Plan };
  return plan ?? { changes: [], affected: [] };
}

export async function make<T>(change: Change, manner: Manner = {}): Promise<Saved<T>> {
  const response = await request(change.address, optionsOf(change, manner));
  const revision = Number(response.headers.get('X-Svc-Revision') ?? Number.NaN);
  return { ...(await loadedFrom<T>(response)), revision: Number.isNaN(revision) ? undefined : revision };
}

export function conflictIn(failure: unknown): Conflict | undefined {
  if (!(failure instanceof ApiFailure) || failure.status !== 412) return undefined;
  const data = failure.data as Conflict | undefined;
  return data?.changes === undefined ? undefined : data;
}

function optionsOf({ method, version, body, ifMatch }: Change, { reason, merges }: Manner): RequestOptions {
  return { method, version, body, ifMatch, reason, isMerged: merges };
}

async function loadedFrom<T>(response: Response): Promise<Loaded<T>> {
  return { body: (await response.json()) as T, etag: response.headers.get('ETag') ?? '' };
}
