// A form while it is filled in: a tree of typed values, each with a signal of its own, so that a keystroke draws one field.
import { type Signal, signal } from '@preact/signals';
import { isObject, type Json, type JsonObject, textOf } from '../../api/json.ts';
import {
  type BooleanField,
  type ChoiceField,
  type Field,
  isDecoration,
  type JsonField,
  type ListField,
  type NumberField,
  type ObjectField,
  type PluginField,
  type ReferenceField,
  type SecretField,
  type SettingsField,
  type TextField,
  type TextsField,
  type VariantField,
} from '../schema/fields.ts';
import { type Setting, settingsIn } from './settings.ts';

interface Common<F extends Field> {
  readonly field: F;
  /** The problems that the server found, until the user changes the field. */
  readonly problems: Signal<readonly string[]>;
}

/** A value that is typed as text, of any type in the body. */
export interface TextNode extends Common<TextField | NumberField | ChoiceField | ReferenceField | PluginField | JsonField> {
  readonly is: 'text';
  readonly text: Signal<string>;
  /** The value before: an empty text is sent as this value. */
  readonly before: Json | undefined;
}

export interface FlagNode extends Common<BooleanField> {
  readonly is: 'flag';
  readonly value: Signal<boolean>;
  readonly before: Json | undefined;
}

export interface TextsNode extends Common<TextsField> {
  readonly is: 'texts';
  readonly texts: Signal<readonly string[]>;
  /** A name that is typed and not added yet: it was meant to be saved, too. */
  readonly typed: Signal<string>;
  readonly before: Json | undefined;
}

export interface SecretNode extends Common<SecretField> {
  readonly is: 'secret';
  /** The encrypted value from the server; it cannot be read here, and is sent back as it is. */
  readonly encrypted: string | undefined;
  /** The new secret that the user typed; undefined: none, the stored secret stays. */
  readonly typed: Signal<string | undefined>;
  /** Says whether it is a secret; absent: it always is. */
  readonly flag: FlagNode | undefined;
}

export interface ObjectNode extends Common<ObjectField> {
  readonly is: 'object';
  readonly members: readonly Node[];
  /** Members without a field: sent back unchanged. */
  readonly rest: JsonObject;
  readonly before: Json | undefined;
}

export interface Item {
  /** Unique among the items of a list. */
  readonly id: number;
  readonly node: Node;
}

export interface ListNode extends Common<ListField> {
  readonly is: 'list';
  readonly items: Signal<readonly Item[]>;
  readonly before: Json | undefined;
}

export interface VariantNode extends Common<VariantField> {
  readonly is: 'variant';
  readonly choice: Signal<string>;
  /** The values that were typed for each choice stay while another choice is shown. */
  readonly nodes: Map<string, Node>;
  readonly before: Json | undefined;
}

export interface SettingsNode extends Common<SettingsField> {
  readonly is: 'settings';
  readonly settings: Signal<readonly Setting[]>;
  /** The field that names the plugin, or an entity with a plugin; absent: it is unknown. */
  readonly namedBy: Signal<string> | undefined;
}

export type Node = TextNode | FlagNode | TextsNode | SecretNode | ObjectNode | ListNode | VariantNode | SettingsNode;

let lastId = 0;

export function nodeOf(field: Field, value: Json | undefined): Node {
  const problems = signal<readonly string[]>([]);
  switch (field.kind) {
    case 'boolean':
      return { is: 'flag', field, problems, value: signal(value === undefined ? (field.initial ?? false) : value === true), before: value };
    case 'texts':
      return { is: 'texts', field, problems, texts: signal(textsIn(value)), typed: signal(''), before: value };
    case 'secret':
      return secretOf(field, {}, undefined);
    case 'object':
      return objectOf(field, value);
    case 'list': {
      const items = Array.isArray(value) ? value.map((item: Json) => itemOf(field.item, item)) : [];
      return { is: 'list', field, problems, items: signal(items), before: value };
    }
    case 'variant':
      return variantOf(field, value, undefined);
    case 'settings':
      return { is: 'settings', field, problems, settings: signal(settingsIn(value)), namedBy: undefined };
    case 'json':
      return { is: 'text', field, problems, text: signal(value === undefined ? '' : JSON.stringify(value, null, 2)), before: value };
    default:
      return { is: 'text', field, problems, text: signal(value === undefined ? initialText(field) : textOf(value)), before: value };
  }
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

export function itemOf(field: Field, value: Json | undefined): Item {
  return { id: ++lastId, node: nodeOf(field, value) };
}

export function objectOf(field: ObjectField, value: Json | undefined): ObjectNode {
  const holder = isObject(value) ? value : {};
  const plain = new Map<string, Node>();
  for (const one of field.members) {
    if (one.kind !== 'secret' && one.kind !== 'variant') plain.set(one.name, nodeOf(one, holder[one.name]));
  }
  const members = field.members.map((one): Node => {
    if (one.kind === 'secret') return secretOf(one, holder, flagIn(plain, one.flag));
    if (one.kind === 'variant')
      return variantOf(one, holder[one.name], one.isChosenBeside ? textAt(plain, [one.discriminator]) : undefined);
    const node = plain.get(one.name)!;
    return node.is === 'settings' ? { ...node, namedBy: textAt(plain, node.field.plugin.id ?? []) } : node;
  });
  return { is: 'object', field, problems: signal([]), members, rest: restOf(field, holder), before: value };
}

function initialText(field: TextNode['field']): string {
  return 'initial' in field && field.initial !== undefined ? String(field.initial) : '';
}

function secretOf(field: SecretField, holder: JsonObject, flag: FlagNode | undefined): SecretNode {
  const encrypted = holder[field.encrypted];
  const plain = holder[field.name];
  return {
    is: 'secret',
    field,
    problems: signal([]),
    encrypted: typeof encrypted === 'string' ? encrypted : undefined,
    typed: signal(typeof plain === 'string' ? plain : undefined),
    flag,
  };
}

function variantOf(field: VariantField, value: Json | undefined, beside: Signal<string> | undefined): VariantNode {
  const own = isObject(value) ? textOf(value[field.discriminator]) : '';
  const choice = beside ?? signal(own || (field.variants[0]?.value ?? ''));
  const nodes = new Map<string, Node>();
  const chosen = field.variants.find((one) => one.value === choice.peek());
  if (chosen !== undefined) nodes.set(chosen.value, nodeOf(chosen.field, value));
  return { is: 'variant', field, problems: signal([]), choice, nodes, before: value };
}

/** The form of the chosen variant; undefined: the variant has none. */
export function chosenNode({ field, choice, nodes }: VariantNode): Node | undefined {
  const variant = field.variants.find(({ value }) => value === choice.value);
  if (variant === undefined) return undefined;
  const known = nodes.get(variant.value);
  if (known !== undefined) return known;
  const made = nodeOf(variant.field, undefined);
  nodes.set(variant.value, made);
  return made;
}

function flagIn(nodes: ReadonlyMap<string, Node>, name: string | undefined): FlagNode | undefined {
  const node = name === undefined ? undefined : nodes.get(name);
  return node?.is === 'flag' ? node : undefined;
}

/** The typed text at a path of members. */
function textAt(nodes: ReadonlyMap<string, Node>, [name = '', ...rest]: readonly string[]): Signal<string> | undefined {
  const node = nodes.get(name);
  if (node?.is === 'object') return textAt(new Map(node.members.map((member) => [member.field.name, member])), rest);
  return node?.is === 'text' ? node.text : undefined;
}

function restOf({ members, readOnly }: ObjectField, holder: JsonObject): JsonObject {
  const shown = new Set([...readOnly, ...members.flatMap((one) => (one.kind === 'secret' ? [one.name, one.encrypted] : [one.name]))]);
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !shown.has(name) && !isDecoration(name)));
}
