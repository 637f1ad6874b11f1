// POST and PUT of a singleton: both set it whole.
import type { Entry } from '../../config/entry.ts';
import { etagOf } from '../../shape/etag.ts';
import type { Kind, Singleton } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { mustBeCurrent } from './precondition.ts';
import { readBodyAs } from './read-body.ts';

export async function replace(kind: Kind & Singleton, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const { entity, problems } = await readBodyAs(kind, request.body, parts, parts.config.of(kind.name).find('')?.value);
  const entry = await parts.changes.apply(
    request.author,
    (draft) => {
      mustBeCurrent(kind, '', draft.find(kind, '') ?? unsetEntry(kind), draft, request, kind.needsIfMatch);
      return draft.put(kind, '', entity, problems);
    },
    { dryRun: request.isDryRun },
  );
  return { ...parts.renderer.one(kind, entry, request.base), revision: entry.revision };
}

const unsetEntries = new WeakMap<Kind, Entry>();

/** What stands for a singleton before anything was set. */
export function unsetEntry(kind: Kind & Singleton): Entry {
  const value = kind.unset ?? {};
  return unsetEntries.getOrInsertComputed(kind, () => ({ key: '', value, etag: etagOf(value), revision: 0, created: 0 }));
}
