// One object of the model: its members are read, checked, and copied into the object of the API that they make up.
import { closest } from '../../kit/text/closest.ts';
import type { Dict, Text, Tree } from '../../kit/tree/tree.ts';
import type { Json, JsonOut } from '../../shape/json/json.ts';
import type { EntityLocation } from './location.ts';
import { flagIn, numberIn, wrongKind } from './scalars.ts';

/** An object whose members can be named in labels. */
export interface LabelSource {
  /** Undefined for a value that is no text, without a problem: the message about that problem needs the label, too. */
  shown(name: string): string | undefined;
}

export class Part implements LabelSource {
  location: EntityLocation;
  readonly at: number;
  /** The object into which the members are copied. */
  out: JsonOut = {};
  readonly #dict: Dict;
  readonly #known = new Set<string>();

  constructor(dict: Dict, location: EntityLocation) {
    this.#dict = dict;
    this.at = dict.at;
    this.location = location;
  }

  /** From now on problems are reported with this name, too. */
  enter(label: (part: LabelSource) => string): this {
    this.location = this.location.within(() => label(this));
    return this;
  }

  shown(name: string): string | undefined {
    const tree = this.#dict.members.get(name)?.value;
    return tree?.kind === 'text' ? tree.text : undefined;
  }

  /** Begins the object of the API: members that are copied from now on are in it. */
  begin(): JsonOut {
    this.out = this.location.body.object(this.at);
    return this.out;
  }

  /** Undefined: it is not there. */
  member(name: string): Tree | undefined {
    this.#known.add(name);
    return this.#dict.members.get(name)?.value ?? undefined;
  }

  has(name: string): boolean {
    return this.member(name) !== undefined;
  }

  /** Where it stands, or else where the object stands that it could be in. */
  offsetOf(name: string): number {
    return this.#dict.members.get(name)?.value?.at ?? this.#dict.members.get(name)?.at ?? this.at;
  }

  #text(name: string): Text | undefined {
    const tree = this.member(name);
    if (tree === undefined || tree.kind === 'text') return tree;
    this.location.problem(tree.at, wrongKind(name, 'a text', tree));
    return undefined;
  }

  text(name: string): string | undefined {
    return this.#text(name)?.text;
  }

  flag(name: string): boolean | undefined {
    const given = this.#text(name);
    const flag = given && flagIn(given.text);
    if (given && flag === undefined)
      this.location.problem(given.at, `Expected boolean value in field ${name}, got ${given.text}`, 'Write true or false.');
    return flag;
  }

  number(name: string): number | undefined {
    const given = this.#text(name);
    const number = given && numberIn(given.text);
    if (given && number === undefined)
      this.location.problem(
        given.at,
        `Expected integer value in field ${this.location.report.nameOf(name)}, got ${given.text}`,
        'Write a whole number, such as 5.',
      );
    return number;
  }

  items(name: string): readonly Tree[] | undefined {
    const tree = this.member(name);
    if (tree === undefined) return undefined;
    if (tree.kind !== 'list') {
      this.location.problem(tree.at, wrongKind(name, 'a list', tree));
      return undefined;
    }
    return tree.items.filter((item, index) => {
      if (item === null) this.location.problem(tree.at, `Entry ${index + 1} of the list ${name} is empty.`);
      return item !== null;
    });
  }

  part(name: string): Part | undefined {
    const tree = this.member(name);
    return tree && this.#partOf(tree, name);
  }

  #partOf(tree: Tree, name: string): Part | undefined {
    if (tree.kind === 'dict') return new Part(tree, this.location);
    this.location.problem(tree.at, wrongKind(name, 'a map', tree));
    return undefined;
  }

  /** Reports each required member that is missing, and the member with a similar name that may have been meant. */
  need(...names: readonly string[]): void {
    for (const name of names) {
      if (this.has(name)) continue;
      const meant = closest(name, this.#dict.members.keys());
      const word = this.location.report.nameOf(name);
      const hint = meant === undefined ? `Add ${word}.` : `Did you mean ${word} by ${meant}?`;
      this.location.problem(
        meant === undefined ? this.offsetOf(name) : this.#dict.members.get(meant)!.at,
        `Missing field '${name}'.`,
        hint,
      );
    }
  }

  copyTexts(...names: readonly string[]): void {
    for (const name of names) this.copyText(name);
  }

  copyText(name: string, to = name): void {
    const given = this.#text(name);
    if (given) this.out[to] = this.location.body.value(given.at, given.text);
  }

  copyFlags(...names: readonly string[]): void {
    for (const name of names) this.#put(name, this.flag(name));
  }

  copyNumber(name: string): void {
    this.#put(name, this.number(name));
  }

  #put(name: string, value: boolean | number | undefined): void {
    if (value !== undefined) this.out[name] = this.location.body.value(this.offsetOf(name), value);
  }

  copyList(name: string, to: string, each: (item: Tree) => Json | undefined): void {
    const items = this.items(name);
    if (items) this.out[to] = this.location.body.list(this.offsetOf(name), items, each);
  }

  copyListOfTexts(name: string, to = name): void {
    this.copyList(name, to, (item) => {
      if (item.kind === 'text') return this.location.body.value(item.at, item.text);
      this.location.problem(item.at, wrongKind(name, 'texts', item));
      return undefined;
    });
  }

  copyParts(name: string, each: (part: Part) => Json | undefined): void {
    this.copyList(name, name, (item) => {
      const part = this.#partOf(item, name);
      return part && each(part);
    });
  }

  /** To be called when all known keys have been read: warns of the other keys. */
  done(): void {
    for (const [name, { at }] of this.#dict.members) {
      if (this.#known.has(name)) continue;
      const meant = closest(name, this.#known);
      this.location.warning(at, `Unknown key '${name}' is ignored.`, meant && `Did you mean ${meant}?`);
    }
  }
}
