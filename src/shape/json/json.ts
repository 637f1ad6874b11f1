// The types of JSON, and of JSON Schema as far as we write it.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
export type JsonOut = { [key: string]: Json };
/** The keywords that lead to other schemas; of the others no more is known than that they are JSON. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty for a value that is no text, number or flag: an object of a client can even break `String`. */
export function scalarText(value: Json | undefined): string {
  return value === null || typeof value === 'object' || value === undefined ? '' : String(value);
}

/** Names in JSON are snake_case, names in code are camelCase. */
export function snakeCase(name: string): string {
  const known = snakeCases.get(name);
  if (known !== undefined) return known;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeCases.set(name, snake);
  return snake;
}

/** The names of all fields: few, and asked for with every body. */
const snakeCases = new Map<string, string>();
