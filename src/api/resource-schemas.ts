// The JSON Schemas of a resource's bodies.
import { describeFields } from '../shape/field.ts';
import type { JsonSchema } from '../shape/json.ts';
import type { Collection, Kind } from '../shape/resource.ts';
import { embeddedSchema, LINKS } from '../shape/schemas.ts';

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

export function listSchema(kind: Collection, member: JsonSchema): JsonSchema {
  return embeddedSchema(kind.listKey, member);
}
