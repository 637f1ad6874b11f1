// The small forms that YAML files are made of, and how each becomes a part of the model.
import { closest } from '../../kit/text/closest.ts';
import { type Dict, dict, type Member, type Text, type Tree, text } from '../../kit/tree/tree.ts';
import { wrongKind } from '../model/scalars.ts';

/** Leaves out the part of an entity in which it is thrown: see `Diagnostics`. */
export class FormProblem extends Error {
  readonly at: number;
  readonly hint: string | undefined;

  constructor(at: number, message: string, hint?: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}

/** Hears of all that is wrong with an entity while it is translated. */
export interface Diagnostics {
  /** Of an ignored part. */
  warn(at: number, message: string, hint?: string): void;
  /** The translated part; undefined: it is invalid, which is reported, and left out of the map that begins at `holder`. */
  tried<T>(holder: number, translate: () => T): T | undefined;
}

const TRUE = new Set('y Y yes Yes YES true True TRUE on On ON'.split(' '));
const FALSE = new Set('n N no No NO false False FALSE off Off OFF'.split(' '));

/** A part of the model that is being put together. */
export class Builder {
  readonly #members = new Map<string, Member>();
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  put(name: string, value: Tree | undefined, at = value?.at ?? this.at): this {
    if (value) this.#members.set(name, { at, value });
    return this;
  }

  /** Puts a value that may be invalid: then the rest is put together without it. */
  try(name: string, diagnostics: Diagnostics, translate: () => Tree | undefined): this {
    return this.put(name, diagnostics.tried(this.at, translate));
  }

  built(): Dict {
    return dict(this.at, this.#members);
  }
}

/** Each of several, without those that are wrong. */
export function translateEach<F, T>(holder: number, items: Iterable<F>, diagnostics: Diagnostics, translate: (item: F) => T): T[] {
  return Array.from(items).flatMap((item) => diagnostics.tried(holder, () => [translate(item)]) ?? []);
}

/** The value of a key; undefined when it is missing or empty. */
export function under(holder: Dict, key: string): Tree | undefined {
  return holder.members.get(key)?.value ?? undefined;
}

export function textUnder(holder: Dict, key: string): Text | undefined {
  const tree = under(holder, key);
  if (tree && tree.kind !== 'text') throw new FormProblem(tree.at, wrongKind(key, 'a text', tree));
  return tree;
}

export function neededText(holder: Dict, key: string): Text {
  const found = textUnder(holder, key);
  if (found) return found;
  const meant = closest(key, holder.members.keys());
  throw new FormProblem(holder.at, `String field ${key}: is required`, meant && `Did you mean ${key} by ${meant}?`);
}

export function flagUnder(holder: Dict, key: string): Text | undefined {
  const given = textUnder(holder, key);
  if (!given) return undefined;
  if (TRUE.has(given.text)) return text(given.at, 'true');
  if (FALSE.has(given.text)) return text(given.at, 'false');
  throw new FormProblem(given.at, `Expected boolean value in field ${key}, got ${given.text}`, 'Write true or false.');
}

export function dictUnder(holder: Dict, key: string, wrong?: string): Dict | undefined {
  const tree = under(holder, key);
  if (tree && tree.kind !== 'dict') throw new FormProblem(tree.at, wrong ?? wrongKind(key, 'a map', tree));
  return tree;
}

export function listUnder(holder: Dict, key: string, wrong?: string): Tree | undefined {
  const tree = under(holder, key);
  if (tree && tree.kind !== 'list')
    throw new FormProblem(tree.at, wrong ?? wrongKind(key, 'a list', tree), 'Write each entry after a dash.');
  return tree;
}

/** The only key of an entry, with its value; further keys are ignored with a warning. */
export function onlyMember({ members }: Dict, diagnostics: Diagnostics): readonly [string, Member] | undefined {
  const [first, ...others] = members;
  for (const [name, { at }] of others) {
    diagnostics.warn(
      at,
      `Key '${name}' beside '${first![0]}' is ignored.`,
      `If it belongs to ${first![0]}, it has to be indented more than that.`,
    );
  }
  return first;
}

/** Warns of unknown keys. `remedy`: the hint for a key that is similar to none of the known ones. */
export function warnOfUnknownKeys({ members }: Dict, known: ReadonlySet<string>, diagnostics: Diagnostics, remedy?: string): void {
  for (const [name, { at }] of members) {
    if (known.has(name)) continue;
    const meant = closest(name, known);
    diagnostics.warn(at, `Unknown key '${name}' is ignored.`, meant === undefined ? remedy : `Did you mean ${meant}?`);
  }
}
