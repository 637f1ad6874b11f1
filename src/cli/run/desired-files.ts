// Reads files with the desired configuration: YAML, JSON, or one configuration file in XML.
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { STANDARD_INPUT } from '../files/given-file.ts';
import { readStructured } from '../files/structured-file.ts';
import { CommandFailed } from '../terminal/failures.ts';

/** The desired configuration: the body of a plan, or the bytes of a configuration file. */
export type DesiredContent = { readonly state: JsonObject } | { readonly file: Uint8Array<ArrayBuffer>; readonly isPruned: boolean };

const PRUNE = 'prune';

/** Paths begin in `directory`; a dash stands for `input`. `isPruned`: nothing else may stay, even if the files do not ask for that. */
export function desiredIn(
  paths: readonly string[],
  directory: string,
  isPruned: boolean,
  input: Uint8Array = new Uint8Array(),
): DesiredContent {
  const files = paths.map((path) => ({ path, bytes: path === STANDARD_INPUT ? Uint8Array.from(input) : bytesOf(path, directory) }));
  const [first] = files;
  if (files.some(({ path }) => extname(path).toLowerCase() === '.xml')) {
    if (files.length > 1) throw new CommandFailed('A configuration file in XML is planned alone.');
    return { file: first!.bytes, isPruned };
  }
  const contents = files.map(({ path, bytes }) => ({ path, content: contentOf(path, new TextDecoder().decode(bytes)) }));
  return { state: { ...joined(contents), ...(isPruned ? { [PRUNE]: true } : prunedBy(contents)) } };
}

interface ReadFile {
  readonly path: string;
  readonly content: JsonObject;
}

/** Lists of the same resource are one list. */
function joined(files: readonly ReadFile[]): JsonObject {
  const resources: Record<string, Json> = {};
  for (const { path, content } of files) {
    for (const [name, value] of Object.entries(content)) {
      const known = Object.hasOwn(resources, name) ? resources[name] : undefined;
      if (name === PRUNE) continue;
      if (Array.isArray(known) && Array.isArray(value)) resources[name] = [...known, ...value];
      else if (known !== undefined) throw new CommandFailed(`${path}: ${name} is in another file, too.`);
      else resources[name] = value;
    }
  }
  return resources;
}

/** It counts for all files together, so one file must not decide on removals for another one. */
function prunedBy(files: readonly ReadFile[]): JsonObject {
  const pruneIn = ({ content }: ReadFile) => content[PRUNE] ?? false;
  const [first] = files;
  const other = files.find((file) => pruneIn(file) !== pruneIn(first!));
  if (other)
    throw new CommandFailed(`${first!.path} and ${other.path} do not say the same about ${PRUNE}: let both say it, or give --prune.`);
  return pruneIn(first!) === false ? {} : { [PRUNE]: pruneIn(first!) };
}

function bytesOf(path: string, directory: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(readFileSync(resolve(directory, path)));
  } catch (failure) {
    throw new CommandFailed(`${path} cannot be read: ${(failure as Error).message}`);
  }
}

function contentOf(path: string, text: string): JsonObject {
  const content = readStructured(path, text);
  if (isObject(content)) return content;
  throw new CommandFailed(`${path} must hold a map: resources, and what is wanted of them.`);
}
