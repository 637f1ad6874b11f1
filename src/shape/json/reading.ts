// Reading JSON leniently, as clients of many ages send it, and naming the members that cannot be read.
import { decimalIn } from '../../kit/text/exact-numbers.ts';
import type { Path, Problem } from '../problems/problem.ts';
import type { Resolve } from '../secrets/destination.ts';
import type { Secret, SecretLocation, SecretWriter } from '../secrets/secret.ts';
import type { SecretRefusal } from '../secrets/secret-refusal.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** The services that reading needs, and the list of the problems it finds. */
export interface Reading {
  readonly problems: Problem[];
  seal(plain: string): Secret;
  /** The secret behind a cipher text, or why it is not taken at this place. `fits` checks the plain text, which it must not keep. */
  unseal(cipherText: string, at: SecretLocation, fits?: (plain: string) => boolean): Secret | SecretRefusal;
  /** The plain text behind a cipher text, wherever that belongs; undefined: it cannot be opened. */
  peek(cipherText: string): string | undefined;
  /** Whether the secret stored under this mask may be kept at this place. */
  mayKeep(masked: string, at: SecretLocation): boolean;
  /** Whether the entity has this secret already. */
  isStored(secret: Secret): boolean;
  /** Whether a plugin setting with this key is secret; undefined when the plugin is not installed. */
  isSecretSetting(key: string): boolean | undefined;
  /** Whether the plugin setting with this key is this secret already. */
  isStoredSetting(key: string, secret: Secret): boolean;
  /** Replaces parameters, where there are any. */
  readonly resolve?: Resolve;
  /** Writes secrets of the entity that is read. */
  readonly secrets: SecretWriter;
}

export interface JsonCursor {
  readonly holder: JsonObject;
  readonly path: Path;
  readonly reading: Reading;
}

const MAX_QUOTE_LENGTH = 500;
/** Members whose values are not quoted. They are known by name, because a quote knows no declaration: one too many does no harm. */
const HIDDEN_MEMBER = /^value$|^encrypted_|password|secret|token|_key$/;

export function report(cursor: JsonCursor, name: string, message: string): void {
  cursor.reading.problems.push({ at: [...cursor.path, name], message });
}

function unreadable(cursor: JsonCursor, name: string, message: string): undefined {
  cursor.reading.problems.push({ at: [...cursor.path, name], message, unreadable: true });
  return undefined;
}

export function missing(cursor: JsonCursor, name: string): undefined {
  return unreadable(cursor, name, `Json \`${quote(cursor.holder)}\` does not contain property '${name}'`);
}

/** Reads a member that must be there. */
export function readNeeded<T>(cursor: JsonCursor, name: string, read: (cursor: JsonCursor, name: string) => T | undefined): T | undefined {
  const before = cursor.reading.problems.length;
  const value = read(cursor, name);
  if (value === undefined && cursor.reading.problems.length === before) missing(cursor, name);
  return value;
}

export function readText(cursor: JsonCursor, name: string): string | undefined {
  const value = cursor.holder[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object')
    return unreadable(cursor, name, `Could not read property '${name}' as a String in json \`${quote(cursor.holder)}\` `);
  return String(value);
}

/** Nothing but true and false counts: a text or a number taken for `false` would store a secret in clear. */
export function readFlag(cursor: JsonCursor, name: string): boolean | undefined {
  const value = cursor.holder[name];
  if (value === undefined || typeof value === 'boolean') return value;
  return unreadable(cursor, name, `Could not read property '${name}' as a Boolean in json \`${quote(cursor.holder)}\` `);
}

export function readWhole(cursor: JsonCursor, name: string): number | undefined {
  const value = cursor.holder[name];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' ? decimalIn(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(Math.trunc(number))) {
    return unreadable(cursor, name, `Could not read property '${name}' as an Integer in json \`${quote(cursor.holder)}\` `);
  }
  return Math.trunc(number);
}

/** `as`: the type that messages to clients name: some fields are texts to them. */
export function readDecimal(cursor: JsonCursor, name: string, as = 'String'): number | undefined {
  const value = cursor.holder[name];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' ? decimalIn(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  return unreadable(cursor, name, `Could not read property '${name}' as a ${as} in json \`${quote(cursor.holder)}\` `);
}

export function readList(cursor: JsonCursor, name: string): readonly Json[] | undefined {
  const value = cursor.holder[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value;
  return unreadable(cursor, name, `Could not read property '${name}' as a JsonArray in json \`${quote(cursor.holder)}\``);
}

/** The entries of a list of objects, each with a cursor of its own. An entry that is no object gets one problem, and no others. */
export function cursorsIn(list: readonly Json[], path: Path, reading: Reading): JsonCursor[] {
  return list.map((entry, index) => {
    const own = [...path, index];
    if (isObject(entry)) return { holder: entry, path: own, reading };
    const message = `Entry ${index + 1} of '${path.at(-1)}' must be a JSON object.`;
    reading.problems.push({ at: path, message, unreadable: true, hides: own });
    return { holder: {}, path: own, reading: withoutProblems(reading) };
  });
}

/** Problems inside a value that could not be read would only distract. */
export function withoutProblems(reading: Reading): Reading {
  return { ...reading, problems: [] };
}

export function readTexts(cursor: JsonCursor, name: string): readonly string[] | undefined {
  const list = readList(cursor, name);
  if (list?.some((item) => typeof item === 'object')) {
    return unreadable(cursor, name, `Could not read property '${name}' as a JsonArray containing string in \`${quote(cursor.holder)}\``);
  }
  return list?.map(String);
}

export function readObject(cursor: JsonCursor, name: string): JsonObject | undefined {
  const value = cursor.holder[name];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  return unreadable(cursor, name, `Could not read property '${name}' as a JsonObject in json \`${quote(cursor.holder)}\``);
}

/** The JSON as it was sent, shortened, and without possible secrets. */
function quote(value: Json): string {
  const text = JSON.stringify(value, (key, member: Json) => {
    if (HIDDEN_MEMBER.test(key) && member !== null) return '***';
    return typeof member === 'string' ? withoutCredentials(member) : member;
  });
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
}

/** Leaves out more than the credentials of an address: text missing from a quote by mistake does no harm. */
function withoutCredentials(text: string): string {
  const start = text.indexOf(':') + 1;
  const end = text.lastIndexOf('@');
  return start > 0 && end > start ? `${text.slice(0, start)}***${text.slice(end)}` : text;
}
