// Reads YAML and JSON. Numbers and texts stay as they are written.
import { extname } from 'node:path';
import { exactNumber, withExactNumbers } from '../../kit/text/exact-numbers.ts';
import { Lines } from '../../kit/tree/lines.ts';
import type { Tree } from '../../kit/tree/tree.ts';
import { readYaml } from '../../kit/tree/yaml.ts';
import type { Json } from '../../shape/json/json.ts';
import { CommandFailed } from '../terminal/failures.ts';

/** YAML that is written out as often as it is referred to can grow without end. */
const MAX_WEIGHT = 2_000_000;

/** `path`: the name of the file for messages; its extension determines the format. */
export function readStructured(path: string, text: string): Json {
  return extname(path).toLowerCase() === '.json' ? fromJson(path, text) : fromYaml(path, text);
}

function fromJson(path: string, text: string): Json {
  try {
    return withExactNumbers<Json>(JSON.parse(text) as Json, text);
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

/** A value that begins with one of these is a text, whatever its content. */
const QUOTES = new Set(['"', "'", '|', '>']);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS: Readonly<Record<string, Json>> = { true: true, false: false, null: null, '~': null };

function plain(text: string): Json {
  if (Object.hasOwn(LITERALS, text)) return LITERALS[text]!;
  return NUMBER.test(text) ? exactNumber(text) : text;
}
