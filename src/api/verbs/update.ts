// PUT to one member of a collection.
import { Refusal } from '../../kit/refusal.ts';
import { type JsonObject, snakeCase } from '../../shape/json.ts';
import { addressOf, type Collection, idOf, type Kind, keyOf } from '../../shape/resource.ts';
import { authorizeSubject } from '../guards.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { mustExist } from './must-exist.ts';
import { mustBeCurrent } from './precondition.ts';
import { readBodyAs } from './read-body.ts';

export async function update(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const id = parts.config.of(kind.name).idAt(request.params.id ?? '');
  const current = mustExist(kind, id, parts.config.of(kind.name).find(id));
  const { entity, problems } = await readBodyAs(kind, withId(kind, request.body, id), parts, current.value);
  const isIdUnreadable = problems.some((problem) => problem.unreadable && problem.at.length === 1 && problem.at[0] === snakeCase(kind.id));
  if (!isIdUnreadable && keyOf(kind, idOf(kind, entity)) !== keyOf(kind, id)) throw new Refusal('invalid', kind.messages.renamed);
  if (kind.addressedBy && addressOf(kind, entity).toLowerCase() !== (request.params.id ?? '').toLowerCase())
    throw new Refusal('invalid', kind.messages.renamed);
  authorizeSubject(kind, entity, parts, request);
  const entry = await parts.changes.apply(
    request.author,
    (draft) => {
      mustBeCurrent(kind, id, mustExist(kind, id, draft.find(kind, id)), draft, request, kind.needsIfMatch);
      return draft.put(kind, id, entity, problems);
    },
    { dryRun: request.isDryRun },
  );
  return { ...parts.renderer.one(kind, entry, request.base), revision: entry.revision };
}

/** The address names the entity; the body need not. */
function withId(kind: Kind & Collection, body: JsonObject, id: string): JsonObject {
  const name = snakeCase(kind.id);
  const given = body[name];
  return given === undefined || given === null || given === '' ? { ...body, [name]: id } : body;
}
