// Reads YAML into a tree, with anchors and merge keys resolved. Aliased nodes are shared, not copied, so that a small file stays small.
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type ParsedNode,
  Parser,
  parse,
  type Scalar,
  Schema,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Dict, dict, type Fault, list, MAX_DEPTH, Measure, type Member, type Tree, type TreeReading, text, tooDeep } from './tree.ts';

/** All scalars are texts, and no tag makes anything else of them. Keys are looked through here: the library compares each with each. */
export const YAML_OPTIONS = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false }),
  strict: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const MERGE = '<<';
const BLANK_LAST_LINE = /(?:^|\n)[ \t\r]*$/;
/** Merging copies keys: so many in one file are a trap. */
const MAX_MERGED = 500_000;
const MAX_TOKENS = 1_000_000;

export function readYaml(source: string): TreeReading {
  const conversion = new Conversion(source);
  try {
    const document = firstDocument(source);
    if (!document) return { tree: null, faults: [], ignored: [] };
    const messages = [...document.errors, ...document.warnings];
    const isTag = ({ code }: { code: string }) => code === 'TAG_RESOLVE_FAILED';
    const ignored = messages.filter(isTag).map(({ pos, message }) => ({ at: pos[0], message }));
    const faults = document.errors.filter((error) => !isTag(error)).map(({ pos, message }) => fault(pos[0], message));
    // A text with such mistakes has no certain meaning.
    if (faults.length > 0) return { tree: null, faults, ignored };
    const tree = conversion.convert(document.contents as ParsedNode | null);
    return { tree, faults: conversion.faults, ignored };
  } catch (failure) {
    if (!(failure instanceof ReadStopped)) throw failure;
    return { tree: null, faults: [...conversion.faults, failure.fault], ignored: [] };
  }
}

const MAX_PLAIN_LENGTH = 256 * 1024;
/** More of them are a trap, or nothing that a person has written. */
const MAX_ALIASES = 100;

/** With numbers and booleans as such, for callers that pass the value on as JSON. */
export function readPlainYaml(source: string): { readonly value: unknown } | { readonly problem: string } {
  if (source.length > MAX_PLAIN_LENGTH) return { problem: `it is longer than ${MAX_PLAIN_LENGTH / 1024} KiB.` };
  try {
    const value: unknown = parse(source, { schema: 'core', maxAliasCount: MAX_ALIASES, logLevel: 'error' });
    return { value };
  } catch (failure) {
    return { problem: (failure as Error).message.split('\n', 1)[0]! };
  }
}

/** The documents after it are not even looked at. */
function firstDocument(source: string) {
  const parser = new Parser();
  const composer = new Composer(YAML_OPTIONS);
  let tokens = 0;
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) {
      composer.next(token).next();
      if (token.type === 'document') return composer.end().next().value;
    }
    if (++tokens > MAX_TOKENS) throw new ReadStopped({ at: parser.offset, kind: 'limit', message: `More than ${MAX_TOKENS} tokens` });
    // The library goes down as deep as the text does, and would run out of stack.
    if (parser.stack.length > MAX_DEPTH) throw new ReadStopped(tooDeep(parser.offset));
  }
  for (const token of parser.end()) composer.next(token).next();
  return composer.end().next().value;
}

class Conversion {
  readonly faults: Fault[] = [];
  readonly #anchors = new Map<string, Tree | null>();
  readonly #source: string;
  #merged = 0;

  constructor(source: string) {
    this.#source = source;
  }

  convert(node: Node | null): Tree | null {
    if (isScalar(node)) {
      const isNothing = node.type === 'PLAIN' && node.source === '';
      return this.#named(node, isNothing ? null : text(node.range![0], this.#textOf(node)));
    }
    if (isMap(node)) return this.#named(node, this.#dict(node as YAMLMap<Node, Node | null>));
    if (isSeq(node)) return this.#named(node, this.#list(node as YAMLSeq<Node>));
    if (!isAlias(node)) return null;
    const target = this.#anchors.get(node.source);
    if (target === undefined) this.#fault(node.range![0], `Found no anchor for the alias '${node.source}'`);
    return target ?? null;
  }

  /** The library ends the last line of a block even where the file does not. */
  #textOf({ value, type, range }: Scalar): string {
    const written = String(value);
    const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
    const isCutOff = isBlock && range![1] >= this.#source.length && !BLANK_LAST_LINE.test(this.#source);
    return isCutOff && written.endsWith('\n') ? written.slice(0, -1) : written;
  }

  /** An alias can refer only to nodes before it, so no node can hold itself. */
  #named<T extends Tree | null>({ anchor }: { anchor?: string }, tree: T): T {
    if (anchor !== undefined) this.#anchors.set(anchor, tree);
    return tree;
  }

  #list({ items, range }: YAMLSeq<Node>): Tree {
    const size = new Measure();
    const trees = items.map((item) => {
      const tree = this.convert(item);
      size.add(tree);
      return tree;
    });
    return list(range![0], trees, this.#checked(size, range![0]));
  }

  #dict({ items, range }: YAMLMap<Node, Node | null>): Dict {
    const members = new Map<string, Member>();
    const merged = new Set<string>();
    for (const { key, value } of items) {
      const at = key.range![0];
      if (isScalar(key) && key.type === 'PLAIN' && key.source === MERGE) {
        this.#merge(value, members, merged);
        continue;
      }
      const name = this.convert(key);
      const tree = this.convert(value);
      if (name !== null && name.kind !== 'text') this.#fault(at, 'A key must be a text');
      const word = name?.kind === 'text' ? name.text : '';
      // Keys of its own win over those it takes over, wherever they stand.
      if (members.has(word) && !merged.delete(word)) this.#fault(at, `Duplicate key found '${word}'`, 'duplicate');
      members.set(word, { at, value: tree });
    }
    const size = new Measure();
    for (const { value } of members.values()) size.add(value);
    return dict(range![0], members, this.#checked(size, range![0]));
  }

  #merge(value: Node | null, members: Map<string, Member>, merged: Set<string>): void {
    const tree = this.convert(value);
    const at = value?.range?.[0] ?? 0;
    for (const one of tree?.kind === 'list' ? tree.items : [tree]) {
      if (one === null) continue;
      if (one.kind !== 'dict') {
        this.#fault(at, `The merge key ${MERGE} needs a map or a list of maps`);
        continue;
      }
      this.#merged += one.members.size;
      if (this.#merged > MAX_MERGED) throw new ReadStopped({ at, kind: 'limit', message: `More than ${MAX_MERGED} keys are merged` });
      for (const [name, member] of one.members) {
        if (members.has(name)) continue;
        members.set(name, member);
        merged.add(name);
      }
    }
  }

  #checked(size: Measure, at: number): Measure {
    if (size.height > MAX_DEPTH) throw new ReadStopped(tooDeep(at));
    return size;
  }

  #fault(at: number, message: string, kind: Fault['kind'] = 'syntax'): void {
    this.faults.push({ at, kind, message });
  }
}

/** Reading cannot go on. */
class ReadStopped extends Error {
  readonly fault: Fault;

  constructor(why: Fault) {
    super(why.message);
    this.fault = why;
  }
}

function fault(at: number, message: string): Fault {
  return { at, kind: 'syntax', message };
}
