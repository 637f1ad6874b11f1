// Reads JSON into a tree, as people write it: with comments, single quotes, unquoted names and a comma too many. The last of equal keys counts.
import { dict, list, MAX_DEPTH, type Member, type Tree, type TreeReading, text, tooDeep } from './tree.ts';

const BLANKS = /\s*/y;
const LINE_COMMENT = /(?:#|\/\/)[^\n\r]*/y;
const BLOCK_COMMENT = '/*';
const QUOTED = { '"': /[^"\\]*/y, "'": /[^'\\]*/y } as const;
const WORD = /[^\s,:{}[\]"'/\\#;=]+/y;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const HEX = /[0-9a-fA-F]{4}/y;
const MAX_QUOTE_LENGTH = 20;

export function readJson(source: string): TreeReading {
  try {
    return { tree: new JsonText(source).whole(), faults: [], ignored: [] };
  } catch (failure) {
    if (!(failure instanceof Misread)) throw failure;
    return { tree: null, faults: [failure.fault], ignored: [] };
  }
}

class Misread extends Error {
  readonly fault: TreeReading['faults'][number];

  constructor(fault: TreeReading['faults'][number]) {
    super(fault.message);
    this.fault = fault;
  }
}

class JsonText {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Nothing at all is nothing. */
  whole(): Tree | null {
    this.#skipBlanks();
    if (this.#at === this.#source.length) return null;
    const tree = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#source.length) throw this.#unexpected('the end of the file');
    return tree;
  }

  #value(depth: number): Tree | null {
    const at = this.#at;
    const sign = this.#source[at];
    if (depth >= MAX_DEPTH) throw new Misread(tooDeep(at));
    if (sign === '{') return this.#object(depth);
    if (sign === '[') return this.#array(depth);
    if (sign === '"' || sign === "'") return text(at, this.#quoted(sign));
    const word = this.#matched(WORD);
    if (word === '') throw this.#unexpected('a value');
    return word === 'null' ? null : text(at, word);
  }

  #object(depth: number): Tree {
    const at = this.#at++;
    const members = new Map<string, Member>();
    while (!this.#isNext('}')) {
      const keyAt = this.#at;
      const sign = this.#source[keyAt];
      const key = sign === '"' || sign === "'" ? this.#quoted(sign) : this.#matched(WORD);
      if (this.#at === keyAt) throw this.#unexpected("a name or '}'");
      if (!this.#isNext(':')) throw this.#unexpected(`':' after the name '${shortened(key)}'`);
      this.#skipBlanks();
      members.set(key, { at: keyAt, value: this.#value(depth + 1) });
      if (!this.#isNext(',')) this.#expect('}', "',' or '}'");
    }
    return dict(at, members);
  }

  #array(depth: number): Tree {
    const at = this.#at++;
    const items: (Tree | null)[] = [];
    while (!this.#isNext(']')) {
      items.push(this.#value(depth + 1));
      if (!this.#isNext(',')) this.#expect(']', "',' or ']'");
    }
    return list(at, items);
  }

  #quoted(quote: '"' | "'"): string {
    const start = this.#at++;
    let content = '';
    for (;;) {
      content += this.#matched(QUOTED[quote]);
      const sign = this.#source[this.#at++];
      if (sign === quote) return content;
      if (sign === undefined) {
        this.#at = start;
        throw this.#misread(`The text that begins here has no closing ${quote}`);
      }
      content += this.#escaped();
    }
  }

  #escaped(): string {
    const sign = this.#source[this.#at++] ?? '';
    if (sign !== 'u') return ESCAPES[sign] ?? sign;
    const code = this.#matched(HEX);
    if (code === '') throw this.#unexpected('four hexadecimal digits after \\u');
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** Goes over blanks, and over the sign if it is next. */
  #isNext(sign: string): boolean {
    this.#skipBlanks();
    if (this.#source[this.#at] !== sign) return false;
    this.#at++;
    this.#skipBlanks();
    return true;
  }

  /** Checks the closing sign without taking it: the loop of the caller does that. */
  #expect(sign: string, expected: string): void {
    if (this.#source[this.#at] !== sign) throw this.#unexpected(expected);
  }

  #skipBlanks(): void {
    do this.#matched(BLANKS);
    while (this.#matched(LINE_COMMENT) !== '' || this.#isBlockComment());
  }

  #isBlockComment(): boolean {
    if (!this.#source.startsWith(BLOCK_COMMENT, this.#at)) return false;
    const end = this.#source.indexOf('*/', this.#at + BLOCK_COMMENT.length);
    if (end < 0) throw this.#misread('The comment that begins here has no end');
    this.#at = end + 2;
    return true;
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #unexpected(expected: string): Misread {
    const found = this.#matched(WORD) || this.#source[this.#at];
    const given = found === undefined ? 'the file ends' : `found '${shortened(found)}'`;
    this.#at -= found !== undefined && found !== this.#source[this.#at] ? found.length : 0;
    return this.#misread(`Expected ${expected}, but ${given}`);
  }

  #misread(message: string): Misread {
    return new Misread({ at: this.#at, kind: 'syntax', message });
  }
}

function shortened(word: string): string {
  return word.length > MAX_QUOTE_LENGTH ? `${word.slice(0, MAX_QUOTE_LENGTH)}…` : word;
}
