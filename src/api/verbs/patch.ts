// PATCH of one entity, by the operations its resource declares.
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { readingFor } from '../../shape/entity-json.ts';
import type { Entity, Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { explaining } from './conflict.ts';
import { mustExist } from './must-exist.ts';
import { mustBeCurrent } from './precondition.ts';

export async function patch(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const id = parts.config.of(kind.name).idAt(request.params.id ?? '');
  const { seen } = new Draft(parts.config);
  const find = (draft: Draft) => mustExist(kind, id, draft.find(kind, id));
  const write = (draft: Draft): Entry => {
    const current = find(draft);
    mustBeCurrent(kind, id, current, draft, request, false);
    const reading = readingFor(kind, current.value, { seen, current: current.value }, parts.tools);
    const patched = kind.patch!.apply(current.value as never, request.body, reading, seen) as Entity;
    return draft.put(kind, id, patched, reading.problems);
  };
  const entry = await explaining({ kind, id, parts, request, find }, () => change(parts, request, write));
  return { ...parts.renderer.one(kind, entry, request.base), revision: entry.revision };
}
