// The columns of a list of entities: the name, and two fields that most of the entities have.
import { isObject, type Json, type JsonObject, textOf } from '../api/json.ts';
import type { FormFacts } from '../forms/schema/schema.ts';

export interface Entry {
  /** The segment of the path that names it. */
  readonly address: string;
  readonly name: string;
  readonly facts: readonly string[];
  /** The config repo that defines it; undefined: it is defined here. */
  readonly repo: string | undefined;
}

type Members = Pick<FormFacts, 'id_field' | 'address_field' | 'name_field'>;

const MAX_FACTS = 2;

/** The names of the members that the columns show: single values come first, of lists only the length is shown. */
export function columnsOf(entities: readonly JsonObject[], { id_field, address_field, name_field }: Members): string[] {
  const names = [...new Set(entities.flatMap((entity) => Object.keys(entity)))].filter(
    (name) => !name.startsWith('_') && name !== 'origin' && ![id_field, address_field, name_field].includes(name),
  );
  const isShown = (name: string, isList: boolean): boolean =>
    entities.some((entity) => Array.isArray(entity[name]) === isList && factText(entity[name]) !== '');
  return [...names.filter((name) => isShown(name, false)), ...names.filter((name) => isShown(name, true))].slice(0, MAX_FACTS);
}

export function entriesOf(entities: readonly JsonObject[], form: Members, columns: readonly string[]): Entry[] {
  return entities.map((entity) => ({
    address: textOf(entity[form.address_field ?? 'id']),
    name: textOf(entity[form.name_field ?? 'id']),
    facts: columns.map((column) => factText(entity[column])),
    repo: repoOf(entity),
  }));
}

export function foundEntries(entries: readonly Entry[], search: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter(({ address, name, facts, repo = '' }) => {
    const text = [address, name, ...facts, repo].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function factText(value: Json | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return String(value.length);
  if (isObject(value)) return textOf(value.name ?? value.id);
  return textOf(value);
}

/** The config repo that something comes from. */
export function repoOf({ origin }: JsonObject): string | undefined {
  if (origin === undefined || !isObject(origin) || origin.type !== 'config_repo') return undefined;
  return textOf(origin.id) || 'a config repo';
}
