// The schema of a form: that of the body to send, with a label for each member and the choices for it.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { labelOf } from '../common/labels.ts';
import { withPlugins } from './plugins.ts';
import { variantsIn } from './variants.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** The title of the schema of a request, in the documentation. */
const REQUEST_SUFFIX = / request$/;

/** Members that answers have, and requests have not, are read-only. */
export function formSchema(request: JsonSchema, response: JsonSchema): JsonSchema {
  const { properties, items, oneOf, anyOf, title, 'x-label': _, 'x-hint': hint, ...rest } = request;
  const variants = oneOf ?? anyOf;
  const answered = response.oneOf ?? response.anyOf ?? [];
  return {
    ...(title !== undefined && { title: String(title).replace(REQUEST_SUFFIX, '') }),
    ...rest,
    ...(hint !== undefined && { description: hint }),
    ...(properties !== undefined && { properties: membersOf(properties, response.properties ?? {}) }),
    ...(items !== undefined && { items: formSchema(items, response.items ?? {}) }),
    ...(variants && {
      ...variantsIn(request),
      [oneOf ? 'oneOf' : 'anyOf']: variants.map((one, index) => formSchema(one, answered[index] ?? {})),
    }),
    ...choicesIn(request),
  };
}

function membersOf(request: Members, response: Members): Members {
  const sent = Object.entries(request).map(([name, schema]) => [name, member(name, schema, formSchema(schema, response[name] ?? {}))]);
  const shown = Object.entries(response)
    .filter(([name]) => !Object.hasOwn(request, name))
    .map(([name, schema]) => [name, member(name, schema, { ...shownOnly(schema), readOnly: true })]);
  return withPlugins(Object.fromEntries([...sent, ...shown]));
}

function member(name: string, schema: JsonSchema, formed: JsonSchema): JsonSchema {
  // The label of a fixed value is that of the variant it stands for.
  const label = schema.const === undefined ? schema['x-label'] : undefined;
  return { ...formed, title: label ?? labelOf(name) };
}

/** Users cannot fill it in, so the parts of its schema do not matter. */
function shownOnly({ type, description }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
}

function choicesIn(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum) || schema['x-choices'] !== undefined) return {};
  return { 'x-choices': schema.enum.map((value) => ({ value, label: labelOf(String(value)) })) };
}
