// Members of a JSON body that its schemas do not know: they are reported to the client, because it may have misspelt one.
import { closest } from '../../kit/text/closest.ts';
import type { Path } from '../problems/problem.ts';
import { isObject, type Json, type JsonSchema } from './json.ts';

export interface UnknownMember {
  readonly path: Path;
  /** The member that may have been meant. */
  readonly meant: string | undefined;
}

/** A member that one of the matching schemas declares is known; a schema that takes members of any name makes all of them known. */
export function unknownMembers(value: Json, schemas: readonly JsonSchema[], path: Path = []): UnknownMember[] {
  const matching = schemas.flatMap((schema) => alternatives(schema)).filter((schema) => isOfItsType(schema, value));
  if (Array.isArray(value)) {
    const items = matching.flatMap(({ items: schema }) => (schema ? [schema] : []));
    return value.flatMap((item: Json, index) => unknownMembers(item, items, [...path, index]));
  }
  if (!isObject(value) || matching.length === 0 || !matching.every(isClosed)) return [];
  const known = Map.groupBy(
    matching.flatMap(({ properties }) => Object.entries(properties ?? {})),
    ([name]) => name,
  );
  return Object.entries(value).flatMap(([name, member]) => {
    const own = known.get(name)?.map(([, schema]) => schema);
    return own ? unknownMembers(member, own, [...path, name]) : [{ path: [...path, name], meant: closest(name, known.keys()) }];
  });
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  const several = schema.oneOf ?? schema.anyOf;
  return several ? several.flatMap(alternatives) : [schema];
}

/** Whether a value has the `type` of this form: several forms are told apart by it. A value with another type is refused for that. */
function isOfItsType({ type: form, properties }: JsonSchema, value: Json): boolean {
  if (!isObject(value)) return true;
  if (form !== undefined && ![form].flat().includes('object')) return false;
  const type = properties?.type?.const;
  return type === undefined || (typeof value.type === 'string' && value.type.toLowerCase() === type);
}

/** A schema that refuses other members by itself needs no warning. */
function isClosed({ properties, additionalProperties }: JsonSchema): boolean {
  return properties !== undefined && additionalProperties === undefined;
}
