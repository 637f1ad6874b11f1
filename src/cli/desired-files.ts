// Reads files that say what is wanted of the configuration: YAML, JSON, or one configuration file in XML.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Lines } from '../kit/tree/lines.ts';
import type { Tree } from '../kit/tree/tree.ts';
import { readYaml } from '../kit/tree/yaml.ts';
import { isObject, type Json, type JsonObject } from '../shape/json.ts';

export class UnreadableFile extends Error {}

const DELETE_ABSENT = 'delete_absent';
/** What is written out as often as it is referred to can grow without end. */
const MOST_WEIGHT = 2_000_000;

/** The body of a plan. */
export function desiredIn(paths: readonly string[], isWhole: boolean): JsonObject {
  const files = paths.map((path) => ({ path, text: textOf(path) }));
  const [first] = files;
  if (files.some(({ path }) => extname(path).toLowerCase() === '.xml')) {
    if (files.length > 1) throw new UnreadableFile('A configuration file in XML is planned alone.');
    return { xml: first!.text, mode: isWhole ? 'whole' : 'import' };
  }
  return joined(
    files.map(({ path, text }) => ({ path, content: contentOf(path, text) })),
    isWhole,
  );
}

/** Lists of the same resource are one list. */
function joined(files: readonly { readonly path: string; readonly content: JsonObject }[], isWhole: boolean): JsonObject {
  const resources: Record<string, Json> = {};
  const absent = new Set<string>();
  for (const { path, content } of files) {
    for (const [name, value] of Object.entries(content)) {
      const known = Object.hasOwn(resources, name) ? resources[name] : undefined;
      if (name === DELETE_ABSENT) for (const one of namesIn(path, value)) absent.add(one);
      else if (Array.isArray(known) && Array.isArray(value)) resources[name] = [...known, ...value];
      else if (known !== undefined) throw new UnreadableFile(`${path}: ${name} is in another file, too.`);
      else resources[name] = value;
    }
  }
  const lists = Object.keys(resources).filter((name) => Array.isArray(resources[name]));
  return { resources, delete_absent: isWhole ? lists : [...absent] };
}

function namesIn(path: string, value: Json): string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value as string[];
  throw new UnreadableFile(`${path}: ${DELETE_ABSENT} must be a list of names.`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (failure) {
    throw new UnreadableFile(`${path} cannot be read: ${(failure as Error).message}`);
  }
}

function contentOf(path: string, text: string): JsonObject {
  const content = extname(path).toLowerCase() === '.json' ? fromJson(path, text) : fromYaml(path, text);
  if (isObject(content)) return content;
  throw new UnreadableFile(`${path} must hold a map: resources, and what is wanted of them.`);
}

function fromJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    throw new UnreadableFile(`${path} is not valid JSON: ${(failure as Error).message}`);
  }
}

function fromYaml(path: string, text: string): Json {
  const { tree, faults } = readYaml(text);
  const [fault] = faults;
  if (fault) throw new UnreadableFile(`${path}:${new Lines(text).position(fault.at).line}: ${fault.message}`);
  if (tree && tree.kind !== 'text' && tree.size.weight > MOST_WEIGHT) throw new UnreadableFile(`${path} is too large when written out.`);
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
  return NUMBER.test(text) ? Number(text) : text;
}
