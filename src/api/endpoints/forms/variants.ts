// The member that distinguishes the variants of a body, and the labels of the variants.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { labelOf } from '../common/labels.ts';

/** The member that has another fixed value in each variant, and these values in the order of the variants. Nothing, where there is none. */
export function variantsIn(schema: JsonSchema): JsonSchema {
  if (schema['x-variants'] !== undefined) return {};
  const variants = (schema.oneOf ?? schema.anyOf ?? []).map(({ properties = {} }) => properties);
  const discriminator = Object.keys(variants[0] ?? {}).find((name) => variants.every((members) => members[name]?.const !== undefined));
  if (discriminator === undefined) return {};
  const choices = variants.map((members) => choiceOf(members[discriminator]!));
  return { 'x-variants': { discriminator, choices } };
}

function choiceOf({ const: value, 'x-label': label }: JsonSchema): JsonSchema {
  return { value, label: label ?? labelOf(String(value)) };
}
