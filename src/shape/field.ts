// A field: how one part of an entity is read from JSON, written to JSON and described.

import { type JsonObject, type JsonOut, type JsonSchema, snakeCase } from './json/json.ts';
import type { JsonCursor, Reading } from './json/reading.ts';
import type { Path } from './problems/problem.ts';
import type { Resolve } from './secrets/destination.ts';
import type { SecretWriter } from './secrets/secret.ts';

export interface Writing {
  /** Where links in the written JSON point to; undefined: write no links (answers to failed requests have none). */
  readonly base: string | undefined;
  /** Write cipher texts instead of masks, so that the JSON can be read again from nothing else. */
  readonly isSealed?: boolean;
  readonly secrets: SecretWriter;
  /** Replaces parameters, where there are any. */
  readonly resolve?: Resolve;
}

/** The object that a value is a member of. */
export type Holder = Readonly<Record<string, unknown>>;

export interface Field<T> {
  /** Reads its member (or members) of the holder; problems go to the reading, a stand-in value comes back. */
  read(cursor: JsonCursor, name: string): T;
  write(value: T, name: string, out: JsonOut, writing: Writing, holder: Holder): void;
  /** The members it has in requests and in answers. */
  describe(name: string): { readonly request: MemberSchemas; readonly response: MemberSchemas; readonly required?: readonly string[] };
}

export type MemberSchemas = Readonly<Record<string, JsonSchema>>;
// biome-ignore lint/suspicious/noExplicitAny: a field map holds fields of any type; EntityOf gives each its own back
export type Fields = Readonly<Record<string, Field<any>>>;
export type EntityOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export function readFields<F extends Fields>(fields: F, holder: JsonObject, path: Path, reading: Reading): EntityOf<F> {
  const entity: Record<string, unknown> = {};
  readInto(entity, fields, { holder, path, reading });
  return entity as EntityOf<F>;
}

/** Field by field, so that each can see those before it. */
export function readInto(entity: Record<string, unknown>, fields: Fields, cursor: JsonCursor): void {
  for (const name in fields) {
    const value = fields[name]!.read(cursor, snakeCase(name));
    // An absent value is absent on disk, too.
    if (value !== undefined) entity[name] = value;
  }
}

export function writeFields<F extends Fields>(fields: F, entity: EntityOf<F>, writing: Writing): JsonOut {
  const out: JsonOut = {};
  for (const name in fields) fields[name]!.write(entity[name], snakeCase(name), out, writing, entity);
  return out;
}

interface DescribedFields {
  readonly request: JsonSchema;
  readonly response: JsonSchema;
}

/** Fields are nested, and the same ones stand in several resources. */
const described = new WeakMap<Fields, DescribedFields>();

export function describeFields(fields: Fields): DescribedFields {
  const known = described.get(fields);
  if (known) return known;
  const made = buildDescription(fields);
  described.set(fields, made);
  return made;
}

function buildDescription(fields: Fields): DescribedFields {
  const request: Record<string, JsonSchema> = {};
  const response: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const name in fields) {
    const members = fields[name]!.describe(snakeCase(name));
    Object.assign(request, members.request);
    Object.assign(response, members.response);
    required.push(...(members.required ?? []));
  }
  return {
    request: { type: 'object', properties: request, ...(required.length > 0 && { required }) },
    response: { type: 'object', properties: response },
  };
}

/** A field with one member that looks the same in requests and answers. */
export function plainField<T>(
  schema: JsonSchema,
  read: Field<T>['read'],
  write: (value: T) => JsonOut[string] | undefined,
  isRequired = false,
): Field<T> {
  return {
    read,
    write: (value, name, out) => {
      const json = write(value);
      if (json !== undefined) out[name] = json;
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema }, required: isRequired ? [name] : [] }),
  };
}

/** The field, described as one that cannot be left out: a rule of the resource refuses the value that stands for an absent one. */
export function required<T>(field: Field<T>): Field<T> {
  return { ...field, describe: (name) => ({ ...field.describe(name), required: [name] }) };
}
