// PUT to one member of a collection.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { writeEntity } from '../../../shape/json/entity-json.ts';
import { type JsonObject, snakeCase } from '../../../shape/json/json.ts';
import { addressOf, type Collection, type Entity, idOf, type Kind, keyOf } from '../../../shape/resource.ts';
import type { SecretWriters } from '../../../shape/secrets/secret-writer.ts';
import { authorizePrerequisites, authorizeSubject } from '../guards.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { duplicateText, putPrerequisites } from './create.ts';
import { mustExist } from './must-exist.ts';
import { overwrite, ownPart } from './overwrite.ts';
import { isReadable, type ReadResult, readBodyAs } from './read-body.ts';

export interface Member {
  readonly kind: Kind & Collection;
  readonly id: string;
  /** The address as it was asked for. */
  readonly address: string;
}

export async function update(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const address = request.params.id ?? '';
  const id = parts.config.of(kind.name).idAt(address);
  const member = { kind, id, address };
  const current = mustExist(kind, id, parts.config.of(kind.name).find(id));
  const sent = await readBodyAs(kind, withId(kind, request.body, id), parts, current.value);
  checkMember(member, sent, parts, request);
  const find = (draft: Draft) => mustExist(kind, id, draft.find(kind, id));
  return overwrite({ kind, id, parts, request, find }, sent, (draft, read) => putMember(draft, member, read));
}

/** The checks that come before If-Match. */
export function checkMember(member: Member, sent: ReadResult, parts: ResourceParts, request: Pick<ApiRequest, 'identity'>): void {
  if (!isReadable(sent)) return;
  const { kind } = member;
  // Where the server makes the ids, GoCD looks at If-Match first.
  if (!kind.generatesId) mustKeepId(member, sent.entity, parts.config.secrets);
  authorizeSubject(kind, sent.entity, parts, request);
  authorizePrerequisites(kind, sent.entity, parts, request);
}

/** Puts it in the place of the member, under its new id if it has another one. */
export function putMember(draft: Draft, member: Member, read: ReadResult): Entry {
  const { kind, id } = member;
  const { entity, problems } = read;
  if (isReadable(read)) mustKeepId(member, entity, draft.secrets);
  putPrerequisites(draft, kind, entity);
  if (!isReadable(read) || !isRenamed(member, entity)) return draft.put(kind, id, ownPart(kind, entity, draft.ruleView), problems);
  const other = draft.find(kind, idOf(kind, entity));
  if (other) throw new Refusal('invalid', duplicateText(kind, idOf(kind, entity), other.value));
  return draft.rename(kind, id, entity, problems);
}

function mustKeepId(member: Member, entity: Entity, secrets: SecretWriters): void {
  const { kind, address } = member;
  const isMoved = kind.addressedBy !== undefined && addressOf(kind, entity).toLowerCase() !== address.toLowerCase();
  if (!(isRenamed(member, entity) && !kind.mayBeRenamed) && !isMoved) return;
  throw new Refusal('invalid', kind.messages.renamed, kind.generatesId ? { data: writeEntity(kind, entity, secrets) } : {});
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
