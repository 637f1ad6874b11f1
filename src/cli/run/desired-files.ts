// Reads files that say what is wanted of the configuration: YAML, JSON, or one configuration file in XML.
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { exactNumber, withExactNumbers } from '../../kit/text/exact-numbers.ts';
import { Lines } from '../../kit/tree/lines.ts';
import type { Tree } from '../../kit/tree/tree.ts';
import { readYaml } from '../../kit/tree/yaml.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { CommandFailed } from '../terminal/failures.ts';

/** What is wanted: the body of a plan, or the bytes of a configuration file. */
export type Desired = { readonly state: JsonObject } | { readonly file: Uint8Array<ArrayBuffer>; readonly isPruned: boolean };

const PRUNE = 'prune';
/** What is written out as often as it is referred to can grow without end. */
const MAX_WEIGHT = 2_000_000;

/** Paths begin in `directory`. `isPruned`: nothing else may stay, whatever the files say. */
export function desiredIn(paths: readonly string[], directory: string, isPruned: boolean): Desired {
  const files = paths.map((path) => ({ path, bytes: bytesOf(path, directory) }));
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

/** It counts for all files together, so a file must not decide for another one what goes. */
function prunedBy(files: readonly ReadFile[]): JsonObject {
  const saysIn = ({ content }: ReadFile) => content[PRUNE] ?? false;
  const [first] = files;
  const other = files.find((file) => saysIn(file) !== saysIn(first!));
  if (other)
    throw new CommandFailed(`${first!.path} and ${other.path} do not say the same about ${PRUNE}: let both say it, or give --prune.`);
  return saysIn(first!) === false ? {} : { [PRUNE]: saysIn(first!) };
}

function bytesOf(path: string, directory: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(readFileSync(resolve(directory, path)));
  } catch (failure) {
    throw new CommandFailed(`${path} cannot be read: ${(failure as Error).message}`);
  }
}

function contentOf(path: string, text: string): JsonObject {
  const content = extname(path).toLowerCase() === '.json' ? fromJson(path, text) : fromYaml(path, text);
  if (isObject(content)) return content;
  throw new CommandFailed(`${path} must hold a map: resources, and what is wanted of them.`);
}

function fromJson(path: string, text: string): unknown {
  try {
    return withExactNumbers<unknown>(JSON.parse(text), text);
  } catch (failure) {
    throw new CommandFailed(`${path} is not valid JSON: ${(failure as Error).message}`);
  }
}

function fromYaml(path: string, text: string): Json {
  const { tree, faults } = readYaml(text);
  const [fault] = faults;
  if (fault) throw new CommandFailed(`${path}:${new Lines(text).position(fault.at).line}: ${fault.message}`);
  if (tree && tree.kind !== 'text' && tree.size.weight > MAX_WEIGHT) throw new CommandFailed(`${path} is too large when written out.`);
  return jsonOf(tree, text);
}

function jsonOf(tree: Tree | null, source: string): Json {
  if (tree === null) return null;
  if (tree.kind === 'list') return tree.items.map((item) => jsonOf(item, source));
  if (tree.kind === 'dict') return Object.fromEntries(Array.from(tree.members, ([name, { value }]) => [name, jsonOf(value, source)]));
  return QUOTES.has(source[tree.at] ?? '') ? tree.text : plain(tree.text);
}

/** What begins so is a text, whatever stands in it. */
const QUOTES = new Set(['"', "'", '|', '>']);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null, '~': null };

function plain(text: string): Json {
  if (Object.hasOwn(WORDS, text)) return WORDS[text]!;
  return NUMBER.test(text) ? exactNumber(text) : text;
}
