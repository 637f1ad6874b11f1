// The file plugin.json, in which an external plugin describes itself and the command that starts it.
import { PROTOCOL } from '../../formats/external/protocol.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';

export interface Manifest {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly vendor: string;
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly canExport: boolean;
  /** The patterns by the key of the setting that replaces them. */
  readonly patterns: Readonly<Record<string, string>>;
  /** Keys of further settings, which are passed to the plugin. */
  readonly settings: readonly string[];
  readonly seconds: number;
  readonly megabytes: number;
}

/** Something in the file that its author can correct. */
export class BadManifest extends Error {}

const ID = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/;
const KEYS = [
  ...['protocol', 'id', 'version', 'name', 'description', 'vendor'],
  ...['command', 'capabilities', 'patterns', 'settings', 'limits'],
];
const CAPABILITIES = ['parse', 'export'];
const MAX_LIST_LENGTH = 50;
const MAX_TEXT_LENGTH = 1000;
const LIMITS = { seconds: { defaultValue: 30, max: 300 }, megabytes: { defaultValue: 1024, max: 8192 } };

export function readManifest(text: string): Manifest {
  const json = parsed(text);
  knownOnly(json, KEYS, '');
  if (json.protocol !== PROTOCOL) throw new BadManifest(`protocol has to be ${PROTOCOL}.`);
  const id = textIn(json, 'id');
  if (!ID.test(id))
    throw new BadManifest('id may have letters, digits, periods, hyphens and underscores, and must not begin with a period.');
  const capabilities = textsIn(json, 'capabilities');
  const unknown = capabilities.find((one) => !CAPABILITIES.includes(one));
  if (unknown !== undefined) throw new BadManifest(`capabilities has ${unknown}; possible are ${CAPABILITIES.join(', ')}.`);
  if (!capabilities.includes('parse')) throw new BadManifest('capabilities has to have parse.');
  const limits = objectIn(json, 'limits');
  knownOnly(limits, Object.keys(LIMITS), 'limits.');
  return {
    id,
    version: textIn(json, 'version'),
    name: textIn(json, 'name', id),
    description: textIn(json, 'description', ''),
    vendor: textIn(json, 'vendor', ''),
    command: commandIn(json),
    canExport: capabilities.includes('export'),
    patterns: patternsIn(json),
    settings: textsIn(json, 'settings'),
    seconds: limitIn(limits, 'seconds'),
    megabytes: limitIn(limits, 'megabytes'),
  };
}

function parsed(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch (failure) {
    throw new BadManifest(`It is not JSON: ${(failure as Error).message}`);
  }
  throw new BadManifest('It has to be a JSON object.');
}

function knownOnly(json: JsonObject, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(json).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new BadManifest(`${prefix}${unknown} is not known; possible are ${known.join(', ')}.`);
}

function commandIn(json: JsonObject): readonly string[] {
  const command = textsIn(json, 'command');
  if (!command[0] || command[0].startsWith('-')) throw new BadManifest('command has to begin with the program.');
  if (command.some((word) => word.includes('\0'))) throw new BadManifest('command has a NUL character in it.');
  return command;
}

function patternsIn(json: JsonObject): Readonly<Record<string, string>> {
  const patterns = objectIn(json, 'patterns');
  const pairs = Object.keys(patterns).map((key) => [key, textIn(patterns, key)] as const);
  if (pairs.length === 0) throw new BadManifest('patterns has to name at least one, such as {"file_pattern": "**/*.toml"}.');
  return Object.fromEntries(pairs);
}

function limitIn(limits: JsonObject, key: keyof typeof LIMITS): number {
  const { defaultValue, max } = LIMITS[key];
  const value = limits[key] ?? defaultValue;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new BadManifest(`limits.${key} has to be a whole number from 1 to ${max}.`);
}

function objectIn(json: JsonObject, key: string): JsonObject {
  const value: Json = json[key] ?? {};
  if (isObject(value)) return value;
  throw new BadManifest(`${key} has to be an object.`);
}

function textsIn(json: JsonObject, key: string): readonly string[] {
  const value = json[key] ?? [];
  const isFine = Array.isArray(value) && value.length <= MAX_LIST_LENGTH && value.every((one) => typeof one === 'string' && isShort(one));
  if (isFine) return value as readonly string[];
  throw new BadManifest(`${key} has to be a list of at most ${MAX_LIST_LENGTH} texts.`);
}

function textIn(json: JsonObject, key: string, absent?: string): string {
  const value = json[key] ?? absent;
  if (typeof value === 'string' && isShort(value) && (value.trim() !== '' || absent !== undefined)) return value;
  throw new BadManifest(`${key} has to be a text of at most ${MAX_TEXT_LENGTH} characters.`);
}

function isShort(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH;
}
