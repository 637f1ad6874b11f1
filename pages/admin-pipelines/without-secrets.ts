// The body of a pipeline without its secrets, for a copy: the server takes a stored secret back only for the pipeline that it belongs to.
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { labelOf, singularOf } from '../forms/schema/fields.ts';

export interface Copy {
  readonly body: JsonObject;
  /** What has to be entered in the copy: `Stage test › Environment variable TOKEN`. */
  readonly leftOut: readonly string[];
}

/** The paths of secrets are noted in `leftOut`. */
interface Part {
  readonly path: readonly string[];
  readonly leftOut: string[];
}

const ENCRYPTED = /^encrypted_/;
/** Stands for a stored password in an address, or for a login that consists of a token alone. */
const MASK = '******@';

export function withoutSecrets(original: JsonObject): Copy {
  const leftOut: string[] = [];
  return { body: objectOf(original, { path: [], leftOut }), leftOut };
}

function objectOf(holder: JsonObject, part: Part): JsonObject {
  return Object.fromEntries(Object.entries(holder).flatMap(([name, value]) => membersFor(name, value, holder, part)));
}

function membersFor(name: string, value: Json, holder: JsonObject, part: Part): [string, Json][] {
  if (ENCRYPTED.test(name)) {
    const isOfItem = name === 'encrypted_value';
    note(part, isOfItem ? [] : [labelOf(name.replace(ENCRYPTED, ''))]);
    // An empty variable remains a secret one. Settings and passwords that are not sent are empty.
    return isOfItem && holder.secure === true ? [['value', '']] : [];
  }
  if (name === 'url' && typeof value === 'string' && value.includes(MASK)) {
    note(part, ['Login in the URL']);
    return [[name, withoutLogin(value)]];
  }
  if (Array.isArray(value)) return [[name, value.map((item: Json, index) => itemOf(name, item, index, part))]];
  return [[name, isObject(value) ? objectOf(value, part) : value]];
}

function itemOf(list: string, item: Json, index: number, { path, leftOut }: Part): Json {
  if (!isObject(item)) return item;
  const kind = list === 'configuration' ? 'Setting' : singularOf(labelOf(list));
  const name = item.name ?? item.key;
  return objectOf(item, { path: [...path, `${kind} ${typeof name === 'string' ? name : index + 1}`], leftOut });
}

function note({ path, leftOut }: Part, field: readonly string[]): void {
  leftOut.push([...path, ...field].join(' › '));
}

/** Over ssh the name of the user remains; over HTTP a lone name would be taken for a token. */
function withoutLogin(url: string): string {
  return url.replace(/(ssh:\/\/[^/\\?#@:]+):\*{6}@/gi, '$1@').replace(/[^/\\?#]*\*{6}@/g, '');
}
