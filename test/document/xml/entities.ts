// Turns bodies, as the API gets them, into a document and back, with the real declarations of every kind.

import { Config } from '../../../src/config/current.ts';
import { Draft } from '../../../src/config/draft.ts';
import { Document, editOf } from '../../../src/document/projection/document.ts';
import { type ReadDocument, type ReadEntity, readDocument } from '../../../src/document/xml/read.ts';
import type { EntitiesOfKind, EntityJson } from '../../../src/document/xml/write.ts';
import { Cipher } from '../../../src/kit/bytes/cipher.ts';
import { readXml } from '../../../src/kit/xml/read-xml.ts';
import { registry } from '../../../src/resources/index.ts';
import type { KindName } from '../../../src/shape/configuration.ts';
import { readEntity, writeSealed } from '../../../src/shape/json/entity-json.ts';
import type { Json, JsonObject } from '../../../src/shape/json/json.ts';
import { type Entity, idOf, keyOf, kindsOf, type Registry } from '../../../src/shape/resource.ts';

export type Bodies = Readonly<Partial<Record<KindName, readonly JsonObject[]>>>;
export interface Stored {
  readonly kind: KindName;
  readonly entity: Entity;
}

const tools = { cipher: new Cipher(Buffer.alloc(32, 7)), openImported: () => undefined, isSecretSetting: () => undefined };
/** No plugin is known, so keys alone decide what is secret. */
const { ruleView } = new Draft(new Config(kindsOf(registry)));

export function entityOf(kind: KindName, body: JsonObject): Entity {
  const { entity, problems } = readEntity((registry as Registry)[kind]!, body, { ruleView, isSealed: true }, tools);
  if (problems.length > 0) throw new Error(`${kind}: ${JSON.stringify(problems)}\n${JSON.stringify(body)}`);
  return entity;
}

/** The members with the names of their kinds, which `Object.entries` takes for any texts. */
export function entriesByKind<Value>(values: Readonly<Partial<Record<KindName, Value>>>): [KindName, Value][] {
  return Object.entries(values) as [KindName, Value][];
}

export function storedOf(bodies: Bodies): Stored[] {
  return entriesByKind(bodies).flatMap(([kind, list]) => list.map((body) => ({ kind, entity: entityOf(kind, body) })));
}

export function jsonOf({ kind, entity }: Stored): EntityJson {
  return plain(writeSealed((registry as Registry)[kind]!, entity)) as EntityJson;
}

/** The document as the server puts it together. */
export function documentOf(stored: readonly Stored[]): string {
  const document = new Document();
  for (const [created, one] of stored.entries()) document.apply(editOf(one.kind, keyOfStored(one), created, jsonOf(one)));
  return Buffer.concat(document.chunks()).toString();
}

export function keyOfStored({ kind, entity }: Stored): string {
  const resource = (registry as Registry)[kind]!;
  return keyOf(resource, idOf(resource, entity));
}

export function relatedOf(entities: readonly { readonly kind: KindName; readonly json: EntityJson }[]): EntitiesOfKind {
  const byKind = Map.groupBy(entities, ({ kind }) => kind);
  return (kind) => (byKind.get(kind) ?? []).map(({ json }) => json);
}

/** Reads a document that has to be well formed. */
export function readText(text: string): ReadDocument {
  const { root, problems } = readXml(text);
  if (!root) throw new Error(JSON.stringify(problems));
  return readDocument(root);
}

/** The entities that were read, as the API would store them. */
export function storedFrom({ entities, problems }: ReadDocument): Stored[] {
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return entities.map(({ kind, json }) => ({ kind, entity: entityOf(kind, json) }));
}

export function find(read: ReadDocument, kind: KindName): ReadEntity {
  const found = read.entities.find((entity) => entity.kind === kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}

/** A value as it is after a way through JSON text. */
export function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
