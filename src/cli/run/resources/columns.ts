// The columns of a list: the id, the name, and the first fields of its form that some member has.
import { isObject, type Json, type JsonObject, scalarText } from '../../../shape/json/json.ts';
import type { Table } from '../../output/table.ts';
import type { DescribedForm, Form, Schema } from './forms.ts';
import type { ListedItem } from './requests.ts';

const MAX_FACTS = 5;
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

export function listTable(form: DescribedForm, listed: readonly ListedItem[]): Table {
  const address = form.address_field ?? 'id';
  const name = form.name_field ?? address;
  const own = name === address ? [address] : [address, name];
  // Some lists have only the names. A field that no member has is no column: it is not known to be empty.
  const facts = factsOf(form.schema, own).filter((fact) => listed.some(({ value }) => value[fact] !== undefined));
  const isGrouped = listed.some(({ under }) => under !== undefined);
  return {
    head: [...own, ...(isGrouped ? ['in'] : []), ...facts].map((column) => column.replaceAll('_', ' ')),
    rows: listed.map(({ value, under = '' }) => [
      ...own.map((column) => factText(value[column])),
      ...(isGrouped ? [under] : []),
      ...facts.map((column) => factText(value[column])),
    ]),
  };
}

/** Single values first; of lists the length is shown. */
function factsOf({ properties = {} }: Schema, own: readonly string[]): readonly string[] {
  const shown = Object.entries(properties).filter(([name, { readOnly, 'x-secret': secret }]) => {
    return !own.includes(name) && readOnly !== true && secret === undefined && !name.startsWith('encrypted_');
  });
  const names = (isWanted: (schema: Schema) => boolean) => shown.filter(([, schema]) => isWanted(schema)).map(([name]) => name);
  return [...names(isScalar), ...names(({ type }) => type === 'array')].slice(0, MAX_FACTS);
}

function isScalar({ type }: Schema): boolean {
  return [type].flat().some((one) => typeof one === 'string' && SCALARS.has(one));
}

export function factText(value: Json | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return String(value.length);
  return isObject(value) ? scalarText(value.name ?? value.id ?? value.type) : scalarText(value);
}

/** The id of an entity in addresses. */
export function addressOf({ address_field: field }: Form, value: JsonObject): string {
  return scalarText(value[field ?? 'id']);
}
