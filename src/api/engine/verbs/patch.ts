// PATCH of one entity, by the operations its resource declares.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { type JsonObject, snakeCase } from '../../../shape/json/json.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import type { Entity, Kind } from '../../../shape/resource.ts';
import { MAX_ARRAY_LENGTH } from '../../http/body/body.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { explaining } from './conflict.ts';
import { mustExist } from './must-exist.ts';
import { operatedOn, wantedByOperations } from './patched.ts';
import { checkIfMatch } from './precondition.ts';

export async function patch(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const id = parts.config.of(kind.name).idAt(request.params.id ?? '');
  const find = (draft: Draft) => mustExist(kind, id, draft.find(kind, id));
  const write = (draft: Draft): Entry => {
    const current = find(draft);
    checkIfMatch(kind, id, current, draft, request, false);
    return putPatched(draft, kind, id, current, request.body, parts.tools);
  };
  const yours = (base: Entity | undefined) => base && wantedByOperations(kind, request.body, base, parts);
  const entry = await explaining({ kind, id, parts, request, find }, () => change(parts, request, write), yours);
  return { ...parts.renderer.once(kind, entry, request.base), revision: entry.revision };
}

export function putPatched(draft: Draft, kind: Kind, id: string, { value }: Entry, body: JsonObject, tools: ResourceParts['tools']): Entry {
  const { entity, problems } = operatedOn(kind, value, body, tools, draft.ruleView);
  return draft.put(kind, id, entity, [...problems, ...tooLong(entity)]);
}

/** A list that is too long for one body must not grow by patches either: no client could send it back whole. */
function tooLong(entity: Entity): Problem[] {
  return Object.entries(entity).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > MAX_ARRAY_LENGTH
      ? [{ at: [snakeCase(name)], message: `There would be ${value.length} entries; at most ${MAX_ARRAY_LENGTH} are possible.` }]
      : [],
  );
}
