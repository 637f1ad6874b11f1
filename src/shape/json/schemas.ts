// The JSON Schemas that many bodies are made of.
import type { JsonSchema } from './json.ts';

export const TEXT: JsonSchema = { type: 'string' };
export const MAYBE_TEXT: JsonSchema = { type: ['string', 'null'] };
export const FLAG: JsonSchema = { type: 'boolean' };
export const MAYBE_FLAG: JsonSchema = { type: ['boolean', 'null'] };
export const TEXTS: JsonSchema = { type: 'array', items: TEXT };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
export const MAYBE_TIME: JsonSchema = { type: ['string', 'null'], format: 'date-time' };

export const LINKS: JsonSchema = {
  type: 'object',
  description: 'Where it is, where it is documented, how others are found.',
  additionalProperties: { type: 'object', required: ['href'], properties: { href: described(TEXT, 'The address.') } },
};

/** The schema with a description. */
export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

/** An object that always has all of these members; some have others, too. */
export function objectSchema(
  members: Readonly<Record<string, JsonSchema>>,
  { title, others = {} }: { readonly title?: string; readonly others?: Readonly<Record<string, JsonSchema>> } = {},
): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    type: 'object',
    required: Object.keys(members),
    properties: { ...members, ...others },
  };
}

/** A list as answers carry it: the members under `_embedded`. */
export function embeddedSchema(key: string, member: JsonSchema, others: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return objectSchema({
    _links: LINKS,
    _embedded: embedded({ [key]: { type: 'array', items: member, description: 'The entries of the list.' }, ...others }),
  });
}

/** The content of an answer beside its links. */
export function embedded(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return described(objectSchema(members), 'The content of the answer.');
}

export const MESSAGE: JsonSchema = objectSchema({ message: described(TEXT, 'The result in words.') });
