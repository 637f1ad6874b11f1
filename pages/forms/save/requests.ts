// Changes of the configuration: tried out, made, and undone.
import { signal } from '@preact/signals';
import { path } from '../../api/address.ts';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { type RequestOptions, request, send } from '../../api/client.ts';
import type { Json } from '../../api/json.ts';
import { reloadAll } from '../../api/queries.ts';
import { currentSession } from '../../api/session.ts';
import { runAction, showMessage } from '../../kit/messages.tsx';
import { planIn } from './plan.ts';

/** Where a change goes. */
export interface SaveTarget {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly address: string;
  readonly version: number;
  /** The version that is changed; absent: the entity does not exist yet. */
  readonly etag?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface SaveOptions {
  readonly reason?: string;
  /** Changes of other users to other fields stay. */
  readonly isMerged?: boolean;
}

export interface SaveResult {
  readonly value: Json | undefined;
  readonly etag: string | undefined;
  /** undefined: nothing was different. */
  readonly revision: number | undefined;
}

const REVERT_VERSION = 1;

/** The effects of a change; a refusal is thrown as it would be by the change itself. */
export async function previewChange(target: SaveTarget, body?: object, { isMerged }: SaveOptions = {}): Promise<DryRunPlan> {
  const tried = `${target.address}${target.address.includes('?') ? '&' : '?'}dry_run=true`;
  return planIn(await send<Json>(tried, { ...optionsOf(target), body, isMerged }));
}

export async function saveChange(target: SaveTarget, body: object | undefined, options: SaveOptions = {}): Promise<SaveResult> {
  const response = await request(target.address, { ...optionsOf(target), body, ...options });
  const text = await response.text();
  const revision = Number(response.headers.get('X-Svc-Revision') ?? Number.NaN);
  return {
    value: text === '' ? undefined : (JSON.parse(text) as Json),
    etag: response.headers.get('ETag') ?? undefined,
    revision: Number.isNaN(revision) ? undefined : revision,
  };
}

function optionsOf({ method, version, etag, headers }: SaveTarget): RequestOptions {
  return { method, version, headers, ifMatch: etag };
}

/** How often a change was undone: forms read their entity again when it grows. */
export const undone = signal(0);

/** Shows that a change was made, and offers administrators to undo it. */
export function showSaved(text: string, { revision }: Pick<SaveResult, 'revision'>): void {
  if (revision === undefined || currentSession()?.is_admin !== true) showMessage(text);
  else showMessage(`${text} Revision ${revision}.`, 'done', { label: 'Undo', run: () => void undo(revision) });
}

async function undo(revision: number): Promise<void> {
  const isDone = await runAction(async () => {
    await send(path`/api/admin/config/revisions/${revision}/revert`, { method: 'POST', version: REVERT_VERSION, body: {} });
    return {};
  }, `Revision ${revision} is undone.`);
  if (!isDone) return;
  reloadAll();
  undone.value += 1;
}
