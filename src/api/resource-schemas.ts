// The JSON Schemas of a resource's bodies.
import { describeFields } from '../shape/field.ts';
import type { JsonSchema } from '../shape/json.ts';
import type { Collection, Kind } from '../shape/resource.ts';

export const MESSAGE: JsonSchema = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const LINKS: JsonSchema = { type: 'object', additionalProperties: { type: 'object', properties: { href: { type: 'string' } } } };

export function requestSchema(kind: Kind): JsonSchema {
  return describeFields(kind.fields).request;
}

export function responseSchema(kind: Kind): JsonSchema {
  const { response } = describeFields(kind.fields);
  return { ...response, properties: { _links: LINKS, ...(response.properties as object) } };
}

export function listSchema(kind: Collection, member: JsonSchema): JsonSchema {
  const members = { type: 'object', properties: { [kind.listKey]: { type: 'array', items: member } } };
  return { type: 'object', properties: { _links: LINKS, _embedded: members } };
}
