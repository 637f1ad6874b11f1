// Fields whose shape depends on a `type` beside them.

import { type Choices, describedBy, type FieldDescription } from './described.ts';
import type { Writing } from './field.ts';
import { describeFields, type EntityOf, type Field, type Fields, readFields, writeFields } from './field.ts';
import { isObject, type Json, type JsonOut, type JsonSchema } from './json/json.ts';
import { cursorsIn, type Reading, readList, readNeeded, readObject, readText, withoutProblems } from './json/reading.ts';
import type { Path } from './problems/problem.ts';

export type Variants = Readonly<Record<string, Fields>>;
/** One of the variants: its type, and its fields under `attributes`. */
export type VariantOf<V extends Variants> = { [T in keyof V & string]: { readonly type: T; readonly attributes: EntityOf<V[T]> } }[keyof V &
  string];

/** On one of a type that is none of these: the type that was sent. It is refused, so this is never stored. */
interface UnknownType {
  readonly misread: string | null;
}

export interface VariantOptions {
  /** The message about an unknown type. */
  unsupported(type: string): string;
  /** Whether the fields stand beside the type instead of under `attributes`. */
  readonly isFlat?: boolean;
  /** The labels of the types, where they do not follow from their names. */
  readonly labels?: Choices;
}

export interface VariantCodec<V extends Variants> {
  read(value: Json, path: Path, reading: Reading): VariantOf<V>;
  write(value: VariantOf<V>, writing: Writing): JsonOut;
  /** Made anew whenever it is asked for: only the documentation does. */
  schema(form: 'request' | 'response'): JsonSchema;
}

export function variantCodec<V extends Variants>(
  variants: V,
  { unsupported, isFlat = false, labels = {} }: VariantOptions,
): VariantCodec<V> {
  const types = Object.keys(variants);
  return {
    read: (value, path, reading) => {
      const cursor = { holder: isObject(value) ? value : {}, path, reading };
      const given = readNeeded(cursor, 'type', readText);
      const type = types.find((one) => one === given?.toLowerCase());
      if (given !== undefined && !type)
        reading.problems.push({ at: [...path, 'type'], message: unsupported(given.slice(0, 100)), unreadable: true });
      // Hides the problems that come from reading it as one of another type.
      if (!type && reading.problems.length > 0) reading.problems.push({ ...reading.problems.pop()!, hides: path });
      const known = type ?? types[0]!;
      const holder = isFlat ? cursor.holder : readNeeded(cursor, 'attributes', readObject);
      const attributes = readFields(
        variants[known]!,
        holder ?? {},
        isFlat ? path : [...path, 'attributes'],
        type ? reading : withoutProblems(reading),
      );
      const standIn: UnknownType = { misread: given ?? null };
      return { type: known, attributes, ...(!type && standIn) } as VariantOf<V>;
    },
    write: ({ type, attributes, ...more }, writing): JsonOut => {
      const fields = writeFields(variants[type]!, attributes, writing);
      const nested: JsonOut = isFlat ? fields : { attributes: fields };
      return { type: 'misread' in more ? (more as UnknownType).misread : type, ...nested };
    },
    schema: (form) => ({
      oneOf: types.map((type) => {
        const fields = describeFields(variants[type]!)[form];
        return {
          type: 'object',
          required: ['type'],
          properties: {
            type: { const: type, ...(labels[type] !== undefined && { 'x-label': labels[type] }) },
            ...(isFlat ? fields.properties : { attributes: { ...fields, description: `What one of type \`${type}\` has.` } }),
          },
        };
      }),
    }),
  };
}

export function variantList<V extends Variants>(codec: VariantCodec<V>, described: FieldDescription): Field<readonly VariantOf<V>[]> {
  const listOf = (items: JsonSchema) => ({ type: 'array', items, ...describedBy(described) });
  return {
    read: (cursor, name) =>
      cursorsIn(readList(cursor, name) ?? [], [...cursor.path, name], cursor.reading).map(({ holder, path, reading }) =>
        codec.read(holder, path, reading),
      ),
    write: (value, name, out, writing) => {
      out[name] = value.map((item) => codec.write(item, writing));
    },
    describe: (name) => ({
      request: { [name]: listOf(codec.schema('request')) },
      response: { [name]: listOf(codec.schema('response')) },
    }),
  };
}
