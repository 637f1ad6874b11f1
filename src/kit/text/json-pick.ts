// Picks single values out of a JSON text as it comes, however long the text is: only the wanted values are kept.
import { pause } from '../concurrency/time-slices.ts';

export class NotJson extends Error {}

/** From the top: names of members, and numbers of items as text. */
export type JsonPath = readonly string[];

/** One place that is looked for; the value found there is kept as its JSON text. */
export class JsonSelection {
  readonly path: JsonPath;
  /** Only the names of the members of the object there. */
  readonly namesOnly: boolean;
  text: string | undefined;
  names: string[] | undefined;

  constructor(path: JsonPath, { namesOnly = false } = {}) {
    this.path = path;
    this.namesOnly = namesOnly;
  }

  /** The value; undefined: there is none. */
  get value(): unknown {
    return this.text === undefined ? undefined : parse(this.text);
  }
}

/** A level of the text that is open, and the wanted places whose path goes through it. */
interface Level {
  readonly isArray: boolean;
  readonly through: readonly JsonSelection[];
  index: number;
  name: string;
}

type ExpectedToken = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const MAX_LEVELS = 200;
const MAX_SCALAR_LENGTH = 1000;
const MAX_PICKED = 4_000_000;
const DELIMITER = /[\s,\]}]/g;
const STRING_STOP = /["\\]/g;
const SPACE = /\S/g;

export class JsonPicker {
  readonly #wanted: readonly JsonSelection[];
  readonly #levels: Level[] = [];
  #expected: ExpectedToken = 'value';
  #inside: 'structure' | 'string' | 'name' | 'scalar' = 'structure';
  #isEscaped = false;
  /** The text of a name or a scalar so far. */
  #token = '';
  #picking: { readonly for: readonly JsonSelection[]; readonly depth: number; text: string; from: number } | undefined;

  /** No wanted place may be inside another one. */
  constructor(wanted: readonly JsonSelection[]) {
    this.#wanted = wanted;
  }

  write(chunk: string): void {
    if (this.#picking) this.#picking.from = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#inside === 'structure') at = this.#structure(chunk, at);
      else if (this.#inside === 'scalar') at = this.#scalar(chunk, at);
      else at = this.#string(chunk, at);
    }
    this.#keep(chunk, chunk.length);
  }

  end(): void {
    if (this.#inside === 'scalar') this.#endScalar();
    if (this.#inside !== 'structure' || this.#expected !== 'nothing') throw new NotJson('It ends too early.');
  }

  #structure(chunk: string, from: number): number {
    SPACE.lastIndex = from;
    const at = SPACE.exec(chunk)?.index;
    if (at === undefined) return chunk.length;
    const sign = chunk[at]!;
    switch (sign) {
      case ',':
        this.#expect('comma or end');
        this.#expected = this.#level!.isArray ? 'value' : 'name';
        return at + 1;
      case ':':
        this.#expect('colon');
        this.#expected = 'value';
        return at + 1;
      case ']':
      case '}':
        return this.#close(sign, chunk, at);
    }
    if (this.#expected.startsWith('name')) return this.#startName(sign, at);
    if (!this.#expected.startsWith('value')) throw new NotJson('It has a value where there must be none.');
    return this.#startValue(sign, chunk, at);
  }

  #startName(sign: string, at: number): number {
    if (sign !== '"') throw new NotJson('A member has no name.');
    this.#inside = 'name';
    this.#token = '';
    return at + 1;
  }

  #startValue(sign: string, chunk: string, at: number): number {
    const level = this.#level;
    if (level?.isArray) level.index++;
    const through = this.#throughHere();
    const here = through.filter(({ path, namesOnly }) => path.length === this.#levels.length && !namesOnly);
    if (here.length > 0 && !this.#picking) this.#picking = { for: here, depth: this.#levels.length, text: '', from: at };
    if (sign === '{' || sign === '[') return this.#open(sign, through, at);
    this.#inside = sign === '"' ? 'string' : 'scalar';
    this.#token = '';
    return sign === '"' ? at + 1 : this.#scalar(chunk, at);
  }

  #open(sign: string, through: readonly JsonSelection[], at: number): number {
    if (this.#levels.length >= MAX_LEVELS) throw new NotJson('It has too many levels.');
    const isArray = sign === '[';
    for (const one of through) if (!isArray && one.namesOnly && one.path.length === this.#levels.length) one.names = [];
    this.#levels.push({ isArray, through, index: -1, name: '' });
    this.#expected = isArray ? 'value or end' : 'name or end';
    return at + 1;
  }

  #close(sign: string, chunk: string, at: number): number {
    const level = this.#level;
    const mayEnd = this.#expected === 'comma or end' || this.#expected === (sign === ']' ? 'value or end' : 'name or end');
    if (!level || level.isArray !== (sign === ']') || !mayEnd) throw new NotJson('It has an end where there must be none.');
    this.#levels.pop();
    this.#endValue(chunk, at + 1);
    return at + 1;
  }

  /** A string, or the name of a member. */
  #string(chunk: string, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    for (;;) {
      STRING_STOP.lastIndex = at;
      const stop = STRING_STOP.exec(chunk)?.index;
      const isName = this.#inside === 'name';
      if (stop === undefined) {
        if (isName) this.#addToToken(chunk.slice(from));
        return chunk.length;
      }
      if (chunk[stop] === '"') {
        if (isName) this.#endName(chunk.slice(from, stop));
        else this.#endValue(chunk, stop + 1);
        return stop + 1;
      }
      at = stop + 2;
      if (at > chunk.length) {
        this.#isEscaped = true;
        if (isName) this.#addToToken(chunk.slice(from));
        return chunk.length;
      }
    }
  }

  #endName(rest: string): void {
    this.#addToToken(rest);
    const level = this.#level!;
    // Most members are on no wanted path, so their names are not needed.
    if (level.through.length > 0) level.name = this.#token.includes('\\') ? String(parse(`"${this.#token}"`)) : this.#token;
    const depth = this.#levels.length - 1;
    for (const one of level.through) if (one.namesOnly && one.path.length === depth) one.names?.push(level.name);
    this.#inside = 'structure';
    this.#expected = 'colon';
  }

  #scalar(chunk: string, from: number): number {
    DELIMITER.lastIndex = from;
    const end = DELIMITER.exec(chunk)?.index;
    this.#addToToken(chunk.slice(from, end));
    if (end === undefined) return chunk.length;
    this.#endScalar(chunk, end);
    return end;
  }

  #endScalar(chunk = '', end = 0): void {
    parse(this.#token);
    this.#endValue(chunk, end);
  }

  #addToToken(piece: string): void {
    this.#token += piece;
    if (this.#token.length > MAX_SCALAR_LENGTH && (this.#inside === 'scalar' || this.#level!.through.length > 0)) {
      throw new NotJson('It has a number or a name that is too long.');
    }
    if (this.#inside === 'name' && this.#level!.through.length === 0) this.#token = '';
  }

  #endValue(chunk: string, end: number): void {
    this.#inside = 'structure';
    this.#expected = this.#levels.length === 0 ? 'nothing' : 'comma or end';
    const picking = this.#picking;
    if (picking?.depth !== this.#levels.length) return;
    this.#keep(chunk, end);
    for (const one of picking.for) one.text = picking.text;
    this.#picking = undefined;
  }

  /** Keeps the part of this chunk that belongs to the value being picked. */
  #keep(chunk: string, end: number): void {
    const picking = this.#picking;
    if (!picking) return;
    picking.text += chunk.slice(picking.from, end);
    picking.from = end;
    if (picking.text.length > MAX_PICKED) throw new NotJson('What is looked for in it is too large.');
  }

  get #level(): Level | undefined {
    return this.#levels.at(-1);
  }

  /** The wanted places that are at the value that begins now, or below it. */
  #throughHere(): readonly JsonSelection[] {
    const level = this.#level;
    if (!level) return this.#wanted;
    if (level.through.length === 0) return level.through;
    const step = level.isArray ? String(level.index) : level.name;
    return level.through.filter(({ path }) => path[this.#levels.length - 1] === step);
  }

  #expect(expected: ExpectedToken): void {
    if (this.#expected !== expected || this.#levels.length === 0) throw new NotJson('It has a comma or a colon where that must not be.');
  }
}

/** Reads all of it, and lets others have their turn meanwhile. */
export async function pickFromJson(chunks: AsyncIterable<Uint8Array>, wanted: readonly JsonSelection[]): Promise<void> {
  const decoder = new TextDecoder();
  const picker = new JsonPicker(wanted);
  for await (const chunk of chunks) {
    picker.write(decoder.decode(chunk, { stream: true }));
    await pause();
  }
  picker.write(decoder.decode());
  picker.end();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('It has something in it that is no JSON.');
  }
}
