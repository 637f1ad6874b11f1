// POST to a collection.
import { randomUUID } from 'node:crypto';
import { invalid } from '../../config/check.ts';
import type { Draft } from '../../config/draft.ts';
import { Refusal } from '../../kit/refusal.ts';
import { writeEntity } from '../../shape/entity-json.ts';
import { type JsonObject, snakeCase } from '../../shape/json.ts';
import { annotate } from '../../shape/problem.ts';
import { type Collection, type Entity, idOf, type Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { readBodyAs } from './read-body.ts';

export interface Creation {
  /** The body of the entity, where the request wraps it in another one. */
  readonly body?: JsonObject;
  /** What must be there before it. */
  prepare?(draft: Draft, entity: Entity): void;
}

export async function create(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest, creation: Creation = {}): Promise<Answer> {
  const { entity, problems } = await readBodyAs(kind, withGeneratedId(kind, creation.body ?? request.body), parts);
  const id = idOf(kind, entity);
  const isIdMissing = problems.some((problem) => problem.unreadable && problem.at.length === 1 && problem.at[0] === snakeCase(kind.id));
  if (id.trim() === '' && !isIdMissing) throw blankId(kind, entity);
  const entry = await parts.changes.apply(
    request.author,
    (draft) => {
      if (id !== '' && draft.find(kind, id)) throw duplicate(kind, id, entity);
      if (problems.length === 0) creation.prepare?.(draft, entity);
      return draft.put(kind, id, entity, problems);
    },
    { dryRun: request.isDryRun },
  );
  return { ...parts.renderer.one(kind, entry, request.base), revision: entry.revision };
}

function withGeneratedId(kind: Kind & Collection, body: JsonObject): JsonObject {
  const name = snakeCase(kind.id);
  const isGiven = body[name] !== undefined && body[name] !== null && body[name] !== '';
  return kind.generatesId && !isGiven ? { ...body, [name]: randomUUID() } : body;
}

function blankId(kind: Kind & Collection, entity: Entity): Refusal {
  const { blankId: words } = kind.messages;
  const beside = words?.beside ?? `${kind.title} must have an ${kind.id}.`;
  const problem = { at: [snakeCase(kind.id)], message: beside };
  const after = { key: '', value: entity, etag: '', revision: 0, created: 0 };
  if (!words) return invalid({ kind, id: '', after }, [problem], 'create');
  return new Refusal('invalid', words.message, { data: annotate(writeEntity(kind, entity), [problem]) });
}

function duplicate(kind: Kind & Collection, id: string, entity: Entity): Refusal {
  const data = writeEntity(kind, entity);
  const beside = kind.messages.duplicateId?.(id);
  return new Refusal('invalid', kind.messages.duplicate(id), {
    data: beside ? annotate(data, [{ at: [snakeCase(kind.id)], message: beside }]) : data,
  });
}
