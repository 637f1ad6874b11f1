// PUT to one member of a collection.
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { Refusal } from '../../kit/refusal.ts';
import { writeEntity } from '../../shape/entity-json.ts';
import { type JsonObject, snakeCase } from '../../shape/json.ts';
import { addressOf, type Collection, type Entity, idOf, type Kind, keyOf } from '../../shape/resource.ts';
import { authorizeSubject } from '../guards.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { mustExist } from './must-exist.ts';
import { overwrite, ownPart } from './overwrite.ts';
import { mustBeReadable, type ReadResult, readBodyAs } from './read-body.ts';

export interface Member {
  readonly kind: Kind & Collection;
  readonly id: string;
  /** As it was asked for. */
  readonly address: string;
}

export async function update(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const address = request.params.id ?? '';
  const id = parts.config.of(kind.name).idAt(address);
  const member = { kind, id, address };
  const current = mustExist(kind, id, parts.config.of(kind.name).find(id));
  const sent = await readBodyAs(kind, withId(kind, request.body, id), parts, current.value);
  checkMember(member, sent, current, parts, request);
  const find = (draft: Draft) => mustExist(kind, id, draft.find(kind, id));
  return overwrite({ kind, id, parts, request, find }, sent, (draft, read) => putMember(draft, member, read));
}

/** What is looked at before If-Match. */
export function checkMember(
  member: Member,
  sent: ReadResult,
  current: Entry,
  parts: ResourceParts,
  request: Pick<ApiRequest, 'identity'>,
): void {
  const { kind, id } = member;
  mustBeReadable(kind, id, sent, current);
  // Where the server makes the ids, the dialect looks at If-Match first.
  if (!kind.generatesId) mustKeepId(member, sent.entity);
  authorizeSubject(kind, sent.entity, parts, request);
}

/** Puts it in the place of the member, under its new id if it has another one. */
export function putMember(draft: Draft, member: Member, { entity, problems }: ReadResult): Entry {
  const { kind, id } = member;
  mustKeepId(member, entity);
  if (!isRenamed(member, entity)) return draft.put(kind, id, ownPart(kind, entity, draft.seen), problems);
  if (draft.find(kind, idOf(kind, entity))) throw new Refusal('invalid', kind.messages.duplicate(idOf(kind, entity)));
  return draft.rename(kind, id, entity, problems);
}

function mustKeepId(member: Member, entity: Entity): void {
  const { kind, address } = member;
  const isMoved = kind.addressedBy !== undefined && addressOf(kind, entity).toLowerCase() !== address.toLowerCase();
  if (!(isRenamed(member, entity) && !kind.mayBeRenamed) && !isMoved) return;
  throw new Refusal('invalid', kind.messages.renamed, kind.generatesId ? { data: writeEntity(kind, entity) } : {});
}

function isRenamed({ kind, id }: Member, entity: Entity): boolean {
  return keyOf(kind, idOf(kind, entity)) !== keyOf(kind, id);
}

/** The address names the entity; the body need not. */
export function withId(kind: Kind & Collection, body: JsonObject, id: string): JsonObject {
  const name = snakeCase(kind.id);
  const given = body[name];
  return given === undefined || given === null || given === '' ? { ...body, [name]: id } : body;
}
