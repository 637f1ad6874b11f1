// POST and PUT of a singleton: both set it whole.

import { invalid } from '../../config/check.ts';
import type { Entry } from '../../config/entry.ts';
import { etagOf } from '../../shape/etag.ts';
import { withoutNoise } from '../../shape/problem.ts';
import type { Kind, Singleton } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { mustBeCurrent } from './precondition.ts';
import { readBodyAs } from './read-body.ts';

export async function replace(kind: Kind & Singleton, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const { entity, problems } = await readBodyAs(kind, request.body, parts, parts.config.of(kind.name).find('')?.value);
  if (problems.some((problem) => problem.unreadable)) {
    throw invalid({ kind, id: '', after: { ...unsetEntry(kind), value: entity } }, withoutNoise(problems), 'update');
  }
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
