// POST and PUT of a singleton: both set it whole.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { etagOf } from '../../../shape/json/etag.ts';
import type { Kind, Singleton } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { overwrite } from './overwrite.ts';
import { type ReadResult, readBodyAs } from './read-body.ts';

export async function replace(kind: Kind & Singleton, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const sent = await readBodyAs(kind, request.body, parts, parts.config.of(kind.name).find('')?.value);
  const find = (draft: Draft) => draft.find(kind, '') ?? unsetEntry(kind);
  return overwrite({ kind, id: '', parts, request, find }, sent, (draft, { entity, problems }) => draft.put(kind, '', entity, problems));
}

/** Leaves an unset singleton unset if the new value is the same: a patch or plan without changes changes nothing. */
export function putIfDifferent(draft: Draft, kind: Kind & Singleton, { entity, problems }: ReadResult): Entry {
  const isAsUnset = kind.unset && problems.length === 0 && etagOf(entity) === unsetEntry(kind).etag;
  return isAsUnset && !draft.find(kind, '') ? unsetEntry(kind) : draft.put(kind, '', entity, problems);
}

const unsetEntries = new WeakMap<Kind, Entry>();

/** The entry that a GET shows. */
export function shownSingleton(kind: Kind & Singleton, entry: Entry | undefined): Entry {
  const shown = entry ?? (kind.unset && unsetEntry(kind));
  if (!shown) throw new Refusal('notFound', kind.messages.notFound(''));
  return shown;
}

/** The entry of a singleton before anything was set. */
export function unsetEntry(kind: Kind & Singleton): Entry {
  const value = kind.unset ?? {};
  return unsetEntries.getOrInsertComputed(kind, () => ({ key: '', value, etag: etagOf(value), revision: 0, created: 0 }));
}
