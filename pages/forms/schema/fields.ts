// The fields of a form, made from the schema of the body.
import type { Choice, Format, Schema, SettingsNote, VariantsNote } from './schema.ts';

interface Common {
  /** The member of the body. */
  readonly name: string;
  readonly label: string;
  readonly about: string | undefined;
  readonly isRequired: boolean;
}

export interface TextField extends Common {
  readonly kind: 'text';
  readonly format: Format | undefined;
  readonly isNullable: boolean;
  readonly initial: string | undefined;
}

export interface NumberField extends Common {
  readonly kind: 'number';
  readonly isNullable: boolean;
  readonly initial: number | undefined;
}

export interface BooleanField extends Common {
  readonly kind: 'boolean';
  readonly initial: boolean | undefined;
}

export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly choices: readonly Choice[];
  readonly initial: string | undefined;
}

/** Names an entity of another resource. */
export interface ReferenceField extends Common {
  readonly kind: 'reference';
  readonly resource: string;
  readonly isNullable: boolean;
}

/** Names a plugin of a kind; null: of any. */
export interface PluginField extends Common {
  readonly kind: 'plugin';
  readonly extension: string | null;
  readonly isNullable: boolean;
}

export interface SecretField extends Common {
  readonly kind: 'secret';
  readonly encrypted: string;
  /** The member beside it that says whether it is a secret at all. */
  readonly flag: string | undefined;
}

export interface TextsField extends Common {
  readonly kind: 'texts';
  /** The resource whose names they are. */
  readonly resource: string | undefined;
}

export interface ObjectField extends Common {
  readonly kind: 'object';
  readonly members: readonly Field[];
  /** Members that only the server sets: they are not sent. */
  readonly readOnly: readonly string[];
}

export interface ListField extends Common {
  readonly kind: 'list';
  readonly item: Field;
}

/** Which fields there are depends on the value of a member: of the same object, or of the one around it. */
export interface VariantField extends Common {
  readonly kind: 'variant';
  readonly discriminator: string;
  readonly isChosenBeside: boolean;
  readonly variants: readonly { readonly value: string; readonly label: string; readonly field: Field }[];
}

export interface SettingsField extends Common {
  readonly kind: 'settings';
  readonly plugin: SettingsNote;
}

/** A value that fits no other kind is typed as JSON. */
export interface JsonField extends Common {
  readonly kind: 'json';
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ReferenceField
  | PluginField
  | SecretField
  | TextsField
  | ObjectField
  | ListField
  | VariantField
  | SettingsField
  | JsonField;

export function fieldOf(schema: Schema, name = '', isRequired = false): Field {
  const common = { name, label: schema.title ?? labelOf(name), about: schema.description, isRequired };
  const { 'x-plugin': plugin, 'x-secret': secret, 'x-variants': variants } = schema;
  if (plugin !== undefined && 'settings' in plugin) return { ...common, kind: 'settings', plugin };
  if (secret !== undefined) return { ...common, kind: 'secret', encrypted: secret, flag: schema['x-secret-if'] };
  if (variants !== undefined) return variantsOf(schema, variants, common);
  const choices = choicesOf(schema);
  if (choices !== undefined) return { ...common, kind: 'choice', choices, initial: textIn(schema.default) };
  if (isOf(schema, 'array')) return listOf(schema, common);
  if (isOf(schema, 'object') && schema.properties !== undefined) return objectField(schema, common);
  return scalarOf(schema, common);
}

/** The form of a whole body. */
export function formField(schema: Schema): ObjectField {
  return objectField(schema, { name: '', label: schema.title ?? '', about: undefined, isRequired: true });
}

/** The form without a field for one of its members, whose value is sent back unchanged. */
export function withoutMember(field: ObjectField, name: string): ObjectField {
  return { ...field, members: field.members.filter((member) => member.name !== name) };
}

function variantsOf({ oneOf, anyOf }: Schema, note: VariantsNote, common: Common): VariantField {
  const { discriminator, choices, aliases = {}, is_beside: isBeside } = note;
  const schemas = oneOf ?? anyOf ?? [];
  const chosen = choices.flatMap(({ value, label }, at) => {
    const schema = schemas[at];
    return schema === undefined ? [] : [{ value, label, field: fieldOf(schema, common.name) }];
  });
  const also = Object.entries(aliases).flatMap(([value, meant]) =>
    chosen.filter((one) => one.value === meant).map((one) => ({ ...one, value, label: `${one.label} (${value})` })),
  );
  return {
    ...common,
    kind: 'variant',
    discriminator,
    isChosenBeside: isBeside === true,
    variants: [...chosen, ...also],
  };
}

function scalarOf(schema: Schema, common: Common): Field {
  const { default: initial, 'x-plugin': plugin, 'x-refers-to': resource } = schema;
  const isNullable = isOf(schema, 'null');
  if (plugin !== undefined) return { ...common, kind: 'plugin', extension: plugin.extension, isNullable };
  if (resource !== undefined) return { ...common, kind: 'reference', resource, isNullable };
  if (isOf(schema, 'boolean')) return { ...common, kind: 'boolean', initial: typeof initial === 'boolean' ? initial : undefined };
  if (isOf(schema, 'integer') || isOf(schema, 'number'))
    return { ...common, kind: 'number', isNullable, initial: typeof initial === 'number' ? initial : undefined };
  if (isOf(schema, 'string')) return { ...common, kind: 'text', format: schema['x-format'], isNullable, initial: textIn(initial) };
  return { ...common, kind: 'json' };
}

function listOf({ items = {}, 'x-refers-to': resource }: Schema, common: Common): Field {
  if (isOf(items, 'string') && choicesOf(items) === undefined)
    return { ...common, kind: 'texts', resource: resource ?? items['x-refers-to'] };
  return { ...common, kind: 'list', item: fieldOf(items, common.name) };
}

/** With the members that people fill in: not those that belong to another member, nor those with a single possible value. */
function objectField({ properties = {}, required = [] }: Schema, common: Common): ObjectField {
  const encrypted = new Set(Object.values(properties).map((one) => one['x-secret']));
  const all = Object.entries(properties);
  return {
    ...common,
    kind: 'object',
    members: all
      .filter(([name, schema]) => schema.readOnly !== true && schema.const === undefined && !encrypted.has(name) && !isDecoration(name))
      .map(([name, schema]) => fieldOf(schema, name, required.includes(name))),
    readOnly: all.filter(([, schema]) => schema.readOnly === true).map(([name]) => name),
  };
}

/** Members of answers that clients do not send back. */
export function isDecoration(name: string): boolean {
  return name === '_links' || name === '_embedded' || name === 'errors';
}

function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const { 'x-choices': choices, enum: values } = schema;
  if (choices !== undefined) return choices;
  if (values === undefined || !values.every((value) => typeof value === 'string')) return undefined;
  return values.map((value) => ({ value, label: value }));
}

function isOf({ type }: Schema, name: string): boolean {
  return typeof type === 'string' ? type === name : (type?.includes(name) ?? false);
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `artifact_store_id`: Artifact store id. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `Environment variables`: Environment variable. */
export function singularOf(label: string): string {
  if (/ies$/.test(label)) return label.replace(/ies$/, 'y');
  return /[^s]s$/.test(label) ? label.slice(0, -1) : label;
}
