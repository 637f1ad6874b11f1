// POST to a collection.
import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { Refusal } from '../../kit/refusal.ts';
import { writeEntity } from '../../shape/entity-json.ts';
import { type JsonObject, snakeCase } from '../../shape/json.ts';
import { annotate, must, type Problem } from '../../shape/problem.ts';
import { addressOf, type Collection, type Companion, type Entity, idOf, type Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { type ReadResult, readBodyAs } from './read-body.ts';

export interface Creation {
  /** The body of the entity, where the request wraps it in another one. */
  readonly body?: JsonObject;
  /** What reaches the disk together with it. */
  readonly alongside?: readonly CompiledQuery[];
}

export async function create(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest, creation: Creation = {}): Promise<Answer> {
  const read = await readBodyAs(kind, creation.body ?? request.body, parts);
  const entry = await change(parts, request, (draft) => putNew(draft, kind, read), creation);
  return { ...parts.renderer.once(kind, entry, request.base), revision: entry.revision };
}

/** Puts what was read into a draft, where nothing of its id may be yet. */
export function putNew(draft: Draft, kind: Kind & Collection, { entity: sent, problems: found }: ReadResult): Entry {
  const entity = withId(kind, sent);
  const id = idOf(kind, entity);
  const problems = [...found, ...blankIdProblems(kind, id, found)];
  // What cannot be read is told first: of the rest of such a body nothing can be said.
  const isReadable = !problems.some(({ unreadable }) => unreadable);
  if (id !== '' && isReadable && draft.find(kind, id)) throw duplicate(kind, id, entity);
  for (const companion of kind.bringsAlong?.(entity as never) ?? []) putAbsent(draft, companion);
  return draft.put(kind, id, entity, problems, sent);
}

function putAbsent(draft: Draft, { kind: name, id, entity }: Companion): void {
  const kind = draft.kindNamed(name);
  if (kind && !draft.find(kind, id)) draft.put(kind, id, entity);
}

/** Made up only now: what is wrong with the body is told in the words of its sender. */
function withId(kind: Kind & Collection, sent: Entity): Entity {
  return kind.generatesId && idOf(kind, sent) === '' ? { ...sent, [kind.id]: randomUUID() } : sent;
}

function blankIdProblems(kind: Kind & Collection, id: string, found: readonly Problem[]): Problem[] {
  const at = snakeCase(kind.id);
  const isReported = found.some((problem) => problem.unreadable && problem.at.length === 1 && problem.at[0] === at);
  return must(id.trim() !== '' || isReported, at, kind.messages.blankId?.beside ?? `${kind.title} must have a ${at.replaceAll('_', ' ')}.`);
}

/** What a second one of the same id is told. */
export function duplicate(kind: Kind & Collection, id: string, entity: Entity): Refusal {
  const data = writeEntity(kind, entity);
  const beside = kind.messages.duplicateId?.(id);
  return new Refusal('invalid', kind.messages.duplicate(addressOf(kind, entity)), {
    data: beside ? annotate(data, [{ at: [snakeCase(kind.id)], message: beside }]) : data,
  });
}
