// Schemas as tables: one row for each member, however deep; a schema with a name of its own is shown once and linked to.
import type { JsonSchema } from '../../shape/json/json.ts';
import { PATCH_SUFFIX } from '../../shape/json/merge-patch.ts';
import { escaped, fieldName, prose, table } from './html.ts';

/** The address at which a schema with a name is shown. */
export type LinkOf = (title: string) => string;

/** The type of a body in a few words, and the table of its members where it has no name of its own. */
export function bodyHtml(schema: JsonSchema, isSent: boolean, linkOf: LinkOf): { readonly type: string; readonly members: string } {
  const list = listIn(schema);
  if (list && isNamed(list.member))
    return { type: `list of ${typeHtml(list.member, linkOf)} under <code>${escaped(list.path)}</code>`, members: '' };
  return {
    type: isPlainObject(schema) ? '' : typeHtml(schema, linkOf),
    members: isNamed(schema) || !hasMembers(schema) ? '' : membersHtml(schema, isSent, linkOf),
  };
}

/** The schema of the members of a list answer, and the path of the list. */
function listIn(schema: JsonSchema): { readonly member: JsonSchema; readonly path: string } | undefined {
  const embedded = schema.properties?._embedded;
  const [[name, list] = []] = embedded && !isNamed(schema) ? membersOf(embedded) : [];
  const [member] = list ? itemsOf(list) : [];
  return member && { member, path: `_embedded.${name}` };
}

/** Required members are marked in request bodies; in answers the mark is of no use. */
export function membersHtml(schema: JsonSchema, isSent: boolean, linkOf: LinkOf): string {
  const how = { marks: isSent, linkOf };
  const variants = variantsOf(schema).flatMap((variant) => rowsOfVariant(variant, '', how));
  return table(['Field', 'Type', 'Meaning'], [...rowsOf(schema, '', how), ...variants]);
}

/** Every schema with a name that a body is made of. */
export function namedIn(schema: JsonSchema): JsonSchema[] {
  const inner = [...membersOf(schema).map(([, member]) => member), ...itemsOf(schema), ...variantsOf(schema)].flatMap(namedIn);
  return isNamed(schema) ? [schema, ...inner] : inner;
}

export function anchorOf(title: unknown): string {
  return `schema-${String(title).toLowerCase().replaceAll(' ', '-')}`;
}

interface How {
  /** Whether to mark required members. */
  readonly marks: boolean;
  readonly linkOf: LinkOf;
}

function rowsOf(schema: JsonSchema, prefix: string, how: How): string[][] {
  const required = new Set(how.marks ? ((schema.required ?? []) as string[]) : []);
  return membersOf(schema).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const inner = innerRows(member, path, how);
    // An object says nothing that its members do not say.
    if (member.type === 'object' && inner.length > 0 && member.description === undefined && !required.has(name)) return inner;
    const mark = required.has(name) ? ' <em>required</em>' : '';
    return [[`${fieldName(path)}${mark}`, typeHtml(member, how.linkOf), meaningOf(member)], ...inner];
  });
}

function innerRows(schema: JsonSchema, path: string, how: How): string[][] {
  if (isNamed(schema)) return [];
  const [item] = itemsOf(schema);
  if (item) return innerRows(item, `${path}[]`, how);
  const variants = variantsOf(schema).filter((variant) => variant.type !== 'null');
  if (variants.length > 0) return variants.flatMap((variant) => rowsOfVariant(variant, path, how));
  return rowsOf(schema, `${path}.`, how);
}

/** The members of one variant, below a row that says which. */
function rowsOfVariant(variant: JsonSchema, path: string, how: How): string[][] {
  const members = Object.fromEntries(membersOf(variant).filter(([, member]) => member.const === undefined));
  const fixed = membersOf(variant).flatMap(([name, member]) => (member.const === undefined ? [] : [`${name}: ${String(member.const)}`]));
  const which = `with <code>${escaped(fixed.join(', '))}</code>`;
  const head = fixed.length > 0 ? [[path === '' ? which : `${fieldName(path)} ${which}`, 'object', '']] : [];
  return [...head, ...rowsOf({ ...variant, properties: members }, path === '' ? '' : `${path}.`, how)];
}

function typeHtml(schema: JsonSchema, linkOf: LinkOf): string {
  if (isNamed(schema)) return namedHtml(String(schema.title), linkOf);
  const [item] = itemsOf(schema);
  if (item) return `array of ${typeHtml(item, linkOf)}`;
  if (variantsOf(schema).length > 0) return [...new Set(variantsOf(schema).map((variant) => typeHtml(variant, linkOf)))].join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' | ');
  if (schema.const !== undefined) return `<code>${escaped(String(schema.const))}</code>`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any'];
  return escaped(types.map((type) => (type === 'string' && schema.format ? String(schema.format) : String(type))).join(' or '));
}

/** A merge patch has the fields of the entity it patches. */
function namedHtml(title: string, linkOf: LinkOf): string {
  const patched = title.endsWith(PATCH_SUFFIX) ? title.slice(0, -PATCH_SUFFIX.length) : undefined;
  const link = `<a href="${linkOf(patched ?? title)}">${escaped(patched ?? title)}</a>`;
  return patched === undefined ? link : `some fields of ${link}, as a JSON merge patch: <code>null</code> removes one`;
}

function meaningOf(schema: JsonSchema): string {
  const text = schema.description === undefined ? [] : [prose(String(schema.description))];
  const absent = schema.default === undefined || schema.default === '' ? [] : [`Default: <code>${escaped(String(schema.default))}</code>.`];
  const maxLength = schema.maxLength === undefined ? [] : [`At most ${String(schema.maxLength)} characters.`];
  return [...text, ...absent, ...maxLength].join(' ');
}

function isNamed(schema: JsonSchema): boolean {
  return typeof schema.title === 'string';
}

/** An object of which nothing can be said but its members. */
function isPlainObject(schema: JsonSchema): boolean {
  return schema.type === 'object' && !isNamed(schema) && hasMembers(schema);
}

function hasMembers(schema: JsonSchema): boolean {
  return membersOf(schema).length > 0 || variantsOf(schema).length > 0;
}

function membersOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {});
}

function itemsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.items === undefined ? [] : [schema.items];
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.oneOf ?? schema.anyOf ?? [];
}
