// PUT to one member of a collection.
import { invalid } from '../../config/check.ts';
import { Refusal } from '../../kit/refusal.ts';
import { type JsonObject, snakeCase } from '../../shape/json.ts';
import { withoutNoise } from '../../shape/problem.ts';
import { addressOf, type Collection, idOf, type Kind, keyOf } from '../../shape/resource.ts';
import { authorizeSubject } from '../guards.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { mustExist } from './must-exist.ts';
import { mustBeCurrent } from './precondition.ts';
import { readBodyAs } from './read-body.ts';

export async function update(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const address = request.params.id ?? '';
  const id = parts.config.of(kind.name).idAt(address);
  const current = mustExist(kind, id, parts.config.of(kind.name).find(id));
  const { entity, problems } = await readBodyAs(kind, withId(kind, request.body, id), parts, current.value);
  // What cannot be read at all is told before anything else is compared with it.
  if (problems.some((problem) => problem.unreadable))
    throw invalid({ kind, id, after: { ...current, value: entity } }, withoutNoise(problems), 'update');
  const isRenamed = keyOf(kind, idOf(kind, entity)) !== keyOf(kind, id);
  const isMoved = kind.addressedBy !== undefined && addressOf(kind, entity).toLowerCase() !== address.toLowerCase();
  const mustKeepId = () => {
    if ((isRenamed && !kind.mayBeRenamed) || isMoved) throw new Refusal('invalid', kind.messages.renamed);
  };
  // Where the server makes the ids, the dialect looks at If-Match first.
  if (!kind.generatesId) mustKeepId();
  authorizeSubject(kind, entity, parts, request);
  const entry = await parts.changes.apply(
    request.author,
    (draft) => {
      mustBeCurrent(kind, id, mustExist(kind, id, draft.find(kind, id)), draft, request, kind.needsIfMatch);
      mustKeepId();
      if (!isRenamed) return draft.put(kind, id, entity, problems);
      if (draft.find(kind, idOf(kind, entity))) throw new Refusal('invalid', kind.messages.duplicate(idOf(kind, entity)));
      return draft.rename(kind, id, entity, problems);
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
