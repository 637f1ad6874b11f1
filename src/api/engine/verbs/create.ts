// POST to a collection.
import { randomUUID } from 'node:crypto';
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { repoOriginOf } from '../../../config/repo-origin.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { writeEntity } from '../../../shape/json/entity-json.ts';
import { snakeCase } from '../../../shape/json/json.ts';
import { blankIdProblems } from '../../../shape/problems/blank-id.ts';
import { withFiles } from '../../../shape/problems/files-in-repos.ts';
import { annotate, type Problem } from '../../../shape/problems/problem.ts';
import { addressOf, type Collection, type Entity, idOf, type Kind } from '../../../shape/resource.ts';
import type { SecretWriters } from '../../../shape/secrets/secret-writer.ts';
import { authorizePrerequisites } from '../guards.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import type { Creation } from './creation.ts';
import { isReadable, type ReadResult, readBodyAs } from './read-body.ts';

export async function create(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest, creation: Creation = {}): Promise<Answer> {
  const read = await readBodyAs(kind, creation.body ?? request.body, parts);
  if (isReadable(read)) authorizePrerequisites(kind, read.entity, parts, request);
  const entry = await change(parts, request, (draft) => putNew(draft, kind, read), creation);
  return { ...parts.renderer.once(kind, entry, request.base), revision: entry.revision };
}

/** Puts a new entity into a draft, which must not have one of the same id yet. */
export function putNew(draft: Draft, kind: Kind & Collection, { entity: sent, problems: found }: ReadResult): Entry {
  const entity = withId(kind, sent);
  const id = idOf(kind, entity);
  const problems = [...found, ...(isIdReported(kind, found) ? [] : blankIdProblems(kind, id))];
  // Unreadable values are reported first: the rest of such a body cannot be checked.
  const isParsed = !problems.some(({ unreadable }) => unreadable);
  const other = id !== '' && isParsed ? draft.find(kind, id) : undefined;
  if (other) throw duplicate(kind, id, entity, other.value, draft.secrets);
  putPrerequisites(draft, kind, entity);
  return draft.put(kind, id, entity, problems, sent);
}

/** Creates the missing prerequisites of an entity. */
export function putPrerequisites(draft: Draft, { creates }: Kind & Collection, entity: Entity): void {
  for (const { kind: name, id, entity: prerequisite } of creates?.(entity) ?? []) {
    const kind = draft.kindNamed(name);
    if (kind && !draft.find(kind, id)) draft.put(kind, id, prerequisite);
  }
}

/** The id is generated only now: errors of the body are reported with the values of its sender. */
function withId(kind: Kind & Collection, sent: Entity): Entity {
  return kind.generatesId && idOf(kind, sent) === '' ? { ...sent, [kind.id]: randomUUID() } : sent;
}

function isIdReported(kind: Kind & Collection, found: readonly Problem[]): boolean {
  return found.some(({ unreadable, at }) => unreadable && at.length === 1 && at[0] === snakeCase(kind.id));
}

/** The refusal of a second entity with the same id. */
export function duplicate(kind: Kind & Collection, id: string, entity: Entity, other: Entity, secrets: SecretWriters): Refusal {
  const data = writeEntity(kind, entity, secrets);
  const beside = kind.messages.duplicateId?.(id);
  return new Refusal('invalid', duplicateText(kind, addressOf(kind, entity), other), {
    data: beside ? annotate(data, [{ at: [snakeCase(kind.id)], message: beside }]) : data,
  });
}

export function duplicateText(kind: Kind, address: string, other: Entity): string {
  const from = repoOriginOf(other);
  return withFiles(kind.messages.duplicate(address), 'It is defined in', from ? [from] : []);
}
