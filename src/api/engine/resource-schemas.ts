// The JSON Schemas of a resource's bodies.
import { describeFields } from '../../shape/field.ts';
import type { JsonSchema } from '../../shape/json/json.ts';
import { embeddedSchema, LINKS } from '../../shape/json/schemas.ts';
import type { Collection, Kind } from '../../shape/resource.ts';

export function requestSchema(kind: Kind): JsonSchema {
  return { title: `${kind.title} request`, ...describeFields(kind.fields).request };
}

export function responseSchema(kind: Kind): JsonSchema {
  const { response } = describeFields(kind.fields);
  return {
    title: kind.title,
    ...response,
    properties: { _links: LINKS, ...(response.properties as object), ...kind.shows?.response },
  };
}

export function listSchema({ listKey, alsoListedAs }: Collection, member: JsonSchema): JsonSchema {
  const again = { type: 'array', items: member, description: `The same as \`${listKey}\`.` };
  return embeddedSchema(listKey, member, alsoListedAs === undefined ? {} : { [alsoListedAs]: again });
}

/** The members of a list of a kind, as its answers embed them. */
export function listMembers<T>({ listKey, alsoListedAs }: Collection, members: readonly T[]): Record<string, readonly T[]> {
  return { [listKey]: members, ...(alsoListedAs !== undefined && { [alsoListedAs]: members }) };
}
