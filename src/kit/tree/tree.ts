// The content of a file as maps, lists and texts, each with its position in the file. Every scalar is a text; null stands for nothing.
export interface Text {
  readonly kind: 'text';
  readonly at: number;
  readonly text: string;
}

export interface List {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly (Tree | null)[];
  readonly size: Size;
}

export interface Dict {
  readonly kind: 'dict';
  readonly at: number;
  readonly members: ReadonlyMap<string, Member>;
  readonly size: Size;
}

export interface Member {
  /** Where its key stands. */
  readonly at: number;
  readonly value: Tree | null;
}

export type Tree = Text | List | Dict;

/** How large it is with all that it holds, aliases written out each time. Measured for YAML only: JSON has no aliases. */
export interface Size {
  readonly weight: number;
  readonly height: number;
}

const CHARACTERS_PER_WEIGHT = 64;
const NO_SIZE: Size = { weight: 0, height: 0 };

export function text(at: number, content: string): Text {
  return { kind: 'text', at, text: content };
}

export function list(at: number, items: readonly (Tree | null)[], size = NO_SIZE): List {
  return { kind: 'list', at, items, size };
}

export function dict(at: number, members: ReadonlyMap<string, Member>, size = NO_SIZE): Dict {
  return { kind: 'dict', at, members, size };
}

/** Adds up the sizes of the items of a list or a map. */
export class Measure implements Size {
  weight = 1;
  height = 1;

  add(tree: Tree | null): void {
    if (tree === null) this.weight += 1;
    else if (tree.kind === 'text') this.weight += 1 + tree.text.length / CHARACTERS_PER_WEIGHT;
    else {
      this.weight += tree.size.weight;
      if (tree.size.height >= this.height) this.height = tree.size.height + 1;
    }
  }
}

/** Something that is wrong with the notation itself. */
export interface Fault {
  readonly at: number;
  readonly kind: 'syntax' | 'duplicate' | 'limit';
  readonly message: string;
}

export interface TreeReading {
  readonly tree: Tree | null;
  readonly faults: readonly Fault[];
  /** Ignored notation, such as tags of YAML: it means nothing here. */
  readonly ignored: readonly { readonly at: number; readonly message: string }[];
}

/** Deeper nesting than people write; recursion over a tree that is no deeper is safe. */
export const MAX_DEPTH = 100;

export function tooDeep(at: number): Fault {
  return { at, kind: 'limit', message: `Nested deeper than ${MAX_DEPTH} levels` };
}
