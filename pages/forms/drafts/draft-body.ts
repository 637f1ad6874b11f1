// The body of a draft: the typed values without secrets, also those in URLs. A stored encrypted secret, if any, replaces a typed one.
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { withoutPasswords } from '../model/without-passwords.ts';

/** A member that holds a secret in clear text, and the member beside it that holds it encrypted. */
const SECRET_MEMBERS: Readonly<Record<string, string>> = { password: 'encrypted_password', secret: 'encrypted_secret' };

/** The value as it would be sent: members that are undefined are left out. */
export function jsonOf(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** `isSecretSetting` decides by their keys which settings of plugins are secrets. */
export function draftBody(typed: object, original: object, isSecretSetting: (key: string) => boolean): JsonObject {
  return objectFor(jsonOf(typed), jsonOf(original), isSecretSetting);
}

function valueFor(typed: Json, before: Json | undefined, isSecret: (key: string) => boolean): Json {
  if (Array.isArray(typed)) return listFor(typed, Array.isArray(before) ? before : [], isSecret);
  if (isObject(typed)) return objectFor(typed, isObject(before) ? before : {}, isSecret);
  return withoutPasswords(typed);
}

function listFor(typed: readonly Json[], before: readonly Json[], isSecret: (key: string) => boolean): Json {
  return typed.map((item, at) => valueFor(item, isObject(item) ? sameIn(before, item, at) : before[at], isSecret));
}

/** The item of the same name, at any index; an item without a name is matched by its index. */
function sameIn(before: readonly Json[], item: JsonObject, at: number): Json | undefined {
  const name = nameOf(item);
  if (name === undefined) return before[at];
  return before.find((one) => isObject(one) && nameOf(one) === name);
}

function nameOf({ name, key }: JsonObject): Json | undefined {
  return name ?? key;
}

function objectFor(typed: JsonObject, before: JsonObject, isSecret: (key: string) => boolean): JsonObject {
  const secrets: Record<string, string> = { ...SECRET_MEMBERS };
  if (isSecretValue(typed, before, isSecret)) secrets.value = 'encrypted_value';
  const members = Object.entries(typed).flatMap(([name, value]): [string, Json][] => {
    const encrypted = secrets[name];
    if (encrypted === undefined) return [[name, valueFor(value, before[name], isSecret)]];
    const kept = before[encrypted];
    return kept === undefined ? [] : [[encrypted, kept]];
  });
  return Object.fromEntries(members);
}

/** Of a variable or a setting. */
function isSecretValue(
  { secure, key }: JsonObject,
  { encrypted_value: encrypted }: JsonObject,
  isSecret: (key: string) => boolean,
): boolean {
  if (secure !== undefined) return secure === true;
  return typeof key === 'string' && (encrypted !== undefined || isSecret(key));
}
