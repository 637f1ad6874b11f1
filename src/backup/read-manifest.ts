// Reads the manifest of a backup. It is untrusted input: each value is checked before it is used.
import { sha256 } from '../kit/bytes/hash.ts';
import { escapeInvisible } from '../kit/text/invisible-characters.ts';
import { truncate } from '../kit/text/truncate.ts';
import type { EntryChecksums, ZipChecksums } from '../kit/zip/zip-file.ts';
import { isObject, type Json, type JsonObject } from '../shape/json/json.ts';
import { type FileSeal, FORMAT, MANIFEST, type Manifest, type Origin, type Verification } from './manifest.ts';

/** A file that is no archive is read in one piece. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 100;

export class NotABackup extends Error {}

export function readManifest(text: string): Manifest {
  const { seal, ...json } = parsed(text);
  const { format } = json;
  if (!isWhole(format)) throw wrong('format', 'a whole number');
  if (format > FORMAT) {
    throw new NotABackup(`The backup has format ${format}, and this version of Slipway knows formats up to ${FORMAT}.`);
  }
  if (seal === undefined || seal !== sealOf(json)) throw new NotABackup(`${MANIFEST} is damaged: it is not what was written.`);
  return {
    format,
    version: textIn(json, 'version'),
    backup: originIn(objectIn(json, 'backup'), 'backup.'),
    schema: wholeIn(json, 'schema'),
    revision: wholeIn(json, 'revision'),
    tables: eachIn(json, 'tables', '', wholeIn),
    etags: textIn(json, 'etags'),
    commit: isAbsent(json.commit) ? null : textIn(json, 'commit'),
    files: eachIn(json, 'files', '', fileIn),
    verified: isAbsent(json.verified) ? null : verifiedIn(objectIn(json, 'verified'), 'verified.'),
  };
}

/** The name of a file, safe to be shown: an attacker may have put control sequences for the terminal into it. */
export function quoted(name: string): string {
  return escapeInvisible(JSON.stringify(truncate(name, MAX_NAME_LENGTH)));
}

function parsed(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch (failure) {
    throw new NotABackup(`${MANIFEST} is damaged: ${escapeInvisible((failure as Error).message)}`);
  }
  throw new NotABackup(`${MANIFEST} is not that of a backup: it has to be a JSON object.`);
}

/** Undefined: it is nested deeper than anything that was ever written. */
function sealOf(json: JsonObject): string | undefined {
  try {
    return sha256(JSON.stringify(json));
  } catch (failure) {
    if (failure instanceof RangeError) return undefined;
    throw failure;
  }
}

function originIn(json: JsonObject, prefix: string): Origin {
  return { id: wholeIn(json, 'id', prefix), time: textIn(json, 'time', prefix), user: textIn(json, 'user', prefix) };
}

function verifiedIn(json: JsonObject, prefix: string): Verification {
  return { at: textIn(json, 'at', prefix), sha256: eachIn(json, 'sha256', prefix, textIn) };
}

function fileIn(files: JsonObject, name: string, prefix: string): FileSeal | ZipChecksums {
  const seal = objectIn(files, name, prefix);
  const inner = `${prefix}${shown(name)}.`;
  const bytes = wholeIn(seal, 'bytes', inner);
  if ('entries' in seal) return { bytes, entries: eachIn(seal, 'entries', inner, entryIn), frame: textIn(seal, 'frame', inner) };
  if (bytes > MAX_FILE_BYTES) throw wrong(`${inner}bytes`, `at most ${MAX_FILE_BYTES}`);
  return { bytes, crc32: textIn(seal, 'crc32', inner) };
}

function entryIn(entries: JsonObject, name: string, prefix: string): EntryChecksums {
  const entry = objectIn(entries, name, prefix);
  const inner = `${prefix}${shown(name)}.`;
  return {
    at: wholeIn(entry, 'at', inner),
    bytes: wholeIn(entry, 'bytes', inner),
    mode: wholeIn(entry, 'mode', inner),
    marks: textsIn(entry, 'marks', inner),
  };
}

type ReadMember<T> = (json: JsonObject, key: string, prefix: string) => T;

/** An object whose members are all alike. */
function eachIn<T>(json: JsonObject, key: string, prefix: string, read: ReadMember<T>): Readonly<Record<string, T>> {
  const object = objectIn(json, key, prefix);
  return Object.fromEntries(Object.keys(object).map((name) => [name, read(object, name, `${prefix}${shown(key)}.`)]));
}

function objectIn(json: JsonObject, key: string, prefix = ''): JsonObject {
  const value = json[key];
  if (isObject(value)) return value;
  throw wrong(`${prefix}${shown(key)}`, 'an object');
}

function wholeIn(json: JsonObject, key: string, prefix = ''): number {
  const value = json[key];
  if (isWhole(value)) return value;
  throw wrong(`${prefix}${shown(key)}`, 'a whole number');
}

function textIn(json: JsonObject, key: string, prefix = ''): string {
  const value = json[key];
  if (typeof value === 'string') return value;
  throw wrong(`${prefix}${shown(key)}`, 'a text');
}

function textsIn(json: JsonObject, key: string, prefix: string): readonly string[] {
  const value = json[key];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw wrong(`${prefix}${shown(key)}`, 'a list of texts');
}

function isWhole(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isAbsent(value: Json | undefined): value is null | undefined {
  return value === null || value === undefined;
}

/** Plain names stand as they are. */
function shown(name: string): string {
  return /^[\w.-]{1,50}$/.test(name) ? name : quoted(name);
}

function wrong(member: string, wanted: string): NotABackup {
  return new NotABackup(`${MANIFEST} is not that of a backup: ${member} has to be ${wanted}.`);
}
