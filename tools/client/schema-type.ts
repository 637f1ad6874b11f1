// The TypeScript type of a JSON schema.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};
const REFERENCE = '#/components/schemas/';
const MAX_COMMENT_LENGTH = 140;

/** `Error` is a global of JavaScript, and gets another name. */
export function schemaName(name: string): string {
  return name === 'Error' ? 'Refusal' : name;
}

export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return schemaName($ref.slice(REFERENCE.length));
  if (only !== undefined) return literal(only);
  if (values !== undefined) return union(values.map(literal));
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return union(variants.map((variant) => typeOf(variant, indent)));
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one }, indent)));
  if (type === 'array') return arrayType(schema, indent);
  if (type === 'object' || schema.properties !== undefined) return objectType(schema, indent);
  return typeof type === 'string' && SIMPLE[type] !== undefined ? SIMPLE[type] : 'Json';
}

/** Equal texts always name the same type, so each stands there once. */
function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

function arrayType({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`;
  const item = items === undefined ? 'Json' : typeOf(items, indent);
  return /^[\w$]+$/.test(item) || isOneObject(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

/** Whether it ends where its first brace is closed. */
function isOneObject(type: string): boolean {
  if (!type.startsWith('{')) return false;
  let depth = 0;
  for (let at = 0; at < type.length; at++) {
    if (type[at] === '{') depth++;
    else if (type[at] === '}' && --depth === 0) return at === type.length - 1;
  }
  return false;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(schema.description, inner)}${inner}readonly ${memberName(name)}${mark}: ${typeOf(schema, inner)};\n`;
  });
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties, inner) : 'Json';
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (lines.length === 0) return `{ readonly [name: string]: ${others} }`;
  const known = `{\n${lines.join('')}${indent}}`;
  return isOpen ? `${known} & { readonly [name: string]: ${others} | undefined }` : known;
}

export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** The first sentence. */
export function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const [line] = text.split('\n', 1);
  const first = /^.*?[.:](?= |$)/.exec(line!)?.[0] ?? line!;
  const short = first.length > MAX_COMMENT_LENGTH ? `${first.slice(0, MAX_COMMENT_LENGTH)}…` : first;
  return `${indent}/** ${short.replaceAll('*/', '* /')} */\n`;
}
