// A change of one field, in plain words.
import { isObject, type Json } from '../../shape/json/json.ts';
import type { Operation } from './operation.ts';
import { isSecretMember, plainName } from './secrets.ts';

/** The way to a field, as people say it: `stage 'build'`, `job 'compile'`, `timeout`. */
export type Trail = readonly string[];

const MAX_VALUE_LENGTH = 100;
/** Steps that say nothing to people. */
const SILENT = new Set(['attributes', '_embedded']);
/** Members of lists whose names are no plurals of them. */
const MEMBERS: Readonly<Record<string, string>> = {
  checkin_aliases: 'checkin alias',
  configuration: 'setting',
  policy: 'directive',
  run_if: 'condition',
  ignore: 'ignored pattern',
};

export function trailText(fieldPath: Trail): string {
  return fieldPath.join(', ');
}

export function toMember(fieldPath: Trail, name: string): Trail {
  return SILENT.has(name) ? fieldPath : [...fieldPath, memberLabel(name)];
}

/** To a member of the list at the end of the trail. */
export function toItem(fieldPath: Trail, list: string, item: Json, index: number): Trail {
  return [...fieldPath.slice(0, -1), `${MEMBERS[list] ?? singular(spaced(list))} ${itemName(item, index)}`];
}

function memberLabel(name: string): string {
  return isSecretMember(name) ? `secret ${spaced(plainName(name))}` : spaced(name);
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  return plural.endsWith('s') ? plural.slice(0, -1) : plural;
}

function itemName(item: Json, index: number): string {
  const name = nameIn(item);
  return name === undefined ? `number ${index + 1}` : valueText(name);
}

const NAMES = ['name', 'key', 'artifact_id', 'source', 'url', 'port', 'pipeline', 'ref'];

function nameIn(item: Json): string | undefined {
  if (typeof item === 'string') return item;
  if (!isObject(item)) return undefined;
  const holders = isObject(item.attributes) ? [item.attributes, item] : [item];
  const isTask = 'run_if' in holders[0]!;
  if (isTask) return undefined;
  const names = NAMES.flatMap((name) => holders.map((holder) => holder[name])).filter((name) => typeof name === 'string');
  return names.find((name) => name !== '');
}

export interface DescribedChange {
  readonly operation: Operation;
  /** Without secrets. */
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  readonly isSecret: boolean;
  /** Only a part that is not shown has changed, such as a password in an address. */
  readonly isHidden: boolean;
  readonly isItem: boolean;
}

export function describeChange(fieldPath: Trail, { operation, before, after, isSecret, isHidden, isItem }: DescribedChange): string {
  const where = trailText(fieldPath) || 'everything';
  if (operation === 'move') return `${where} put into another order: ${(after as readonly string[]).join(', ')}`;
  if (isItem && operation === 'add') return `${where} added`;
  if (isItem && operation === 'remove') return `${where} removed`;
  if (isSecret) return `${where} ${isNothing(after) ? 'removed' : isNothing(before) ? 'set' : 'changed'}`;
  if (isHidden) return `${where} changed in its password`;
  if (isNothing(before)) return `${where} set to ${valueText(after!)}`;
  if (isNothing(after)) return `${where} cleared; it was ${valueText(before!)}`;
  return `${where} changed from ${valueText(before!)} to ${valueText(after!)}`;
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function valueText(value: Json): string {
  if (typeof value === 'string') return `'${short(value)}'`;
  return typeof value === 'object' ? short(JSON.stringify(value)) : String(value);
}

function short(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
