// Finds which member of one list is which of another.
import { isObject, type Json } from '../../shape/json/json.ts';
import { type List, namingOf } from './lists.ts';

/** For each member of the later list its place in the earlier one; undefined: it is new. */
export type Origins = readonly (number | undefined)[];

export interface ListMatch {
  readonly origins: Origins;
  /** Positions in the earlier list of the members that were removed. */
  readonly gone: readonly number[];
}

/** Above this many comparisons, lists of members without names are compared place by place. */
const MAX_COMPARISONS = 250_000;

/** Undefined: the list is one value, and has no members that could be distinguished. */
export function match(member: string, before: List, after: List): ListMatch | undefined {
  const naming = namingOf(member, [before, after]);
  if (!naming && ![...before, ...after].every(isObject)) return undefined;
  const origins = naming ? byName(before, after, naming.nameOf) : byCommonSubsequence(before, after);
  if (naming) pairOnlyOnes(before, after, origins);
  else pairInOrder(before, after, origins);
  const kept = new Set(origins);
  return { origins, gone: [...before.keys()].filter((index) => !kept.has(index)) };
}

function byName(before: List, after: List, nameOf: (item: Json) => string): (number | undefined)[] {
  const indexes = new Map(before.map((item, index) => [nameOf(item), index]));
  return after.map((item) => indexes.get(nameOf(item)));
}

/** The longest sequence of members that both have. */
function byCommonSubsequence(before: List, after: List): (number | undefined)[] {
  const origins: (number | undefined)[] = after.map(() => undefined);
  if (before.length * after.length > MAX_COMPARISONS) return origins.map((_, index) => (index < before.length ? index : undefined));
  // Members are compared as often as there are pairs, so each is read only once.
  const [earlier, later] = [before.map(contentOf), after.map(contentOf)];
  const isSame = (one: number, other: number) => earlier[one] === later[other];
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      const skipped = Math.max(lengths[one + 1]![other]!, lengths[one]![other + 1]!);
      lengths[one]![other] = isSame(one, other) ? lengths[one + 1]![other + 1]! + 1 : skipped;
    }
  }
  for (let one = 0, other = 0; one < before.length && other < after.length; ) {
    if (isSame(one, other)) origins[other++] = one++;
    else if (lengths[one + 1]![other]! >= lengths[one]![other + 1]!) one++;
    else other++;
  }
  return origins;
}

/** Equal for equal members, in whichever order their fields are. */
function contentOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(contentOf).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${contentOf(value[name]!)}`).join()}}`;
}

/** A member without a match by its name may still be an older one, changed: the only material of its type. */
function pairOnlyOnes(before: List, after: List, origins: (number | undefined)[]): void {
  const { gone, fresh } = leftovers(before, after, origins);
  for (const [type, [index, ...others]] of fresh) {
    const candidates = gone.get(type) ?? [];
    if (others.length === 0 && candidates.length === 1) origins[index!] = candidates[0];
  }
}

/** A member without a match by its content may still be an older one, changed: a task of the same type in the same gap. */
function pairInOrder(before: List, after: List, origins: (number | undefined)[]): void {
  const { gone } = leftovers(before, after, origins);
  const lowestAfter = lowestOriginsAfter(origins);
  let last = -1;
  for (const [index, item] of after.entries()) {
    if (origins[index] === undefined && isVariant(item)) {
      const candidates = gone.get(typeOf(item));
      const candidate = candidates?.at(-1) ?? -1;
      if (candidate > last && candidate < lowestAfter[index]!) origins[index] = candidates!.pop();
    }
    last = Math.max(last, origins[index] ?? -1);
  }
}

interface Leftovers {
  /** The positions in the earlier list of the members that were removed, by type, the first at the end. */
  readonly gone: ReadonlyMap<Json | undefined, number[]>;
  /** By type: the indexes of new ones. */
  readonly fresh: ReadonlyMap<Json | undefined, readonly number[]>;
}

function leftovers(before: List, after: List, origins: Origins): Leftovers {
  const kept = new Set(origins);
  const gone = [...before.keys()].filter((index) => !kept.has(index) && isVariant(before[index]!)).reverse();
  const fresh = [...after.keys()].filter((index) => origins[index] === undefined && isVariant(after[index]!));
  return { gone: Map.groupBy(gone, (index) => typeOf(before[index]!)), fresh: Map.groupBy(fresh, (index) => typeOf(after[index]!)) };
}

/** For each index the lowest origin of those after it. */
function lowestOriginsAfter(origins: Origins): readonly number[] {
  const lowest = new Array<number>(origins.length);
  let last = Number.POSITIVE_INFINITY;
  for (let index = origins.length - 1; index >= 0; index--) {
    lowest[index] = last;
    last = Math.min(last, origins[index] ?? last);
  }
  return lowest;
}

/** Of one of several types; the type determines its attributes. */
function isVariant(item: Json): boolean {
  return isObject(item) && 'type' in item;
}

function typeOf(item: Json): Json | undefined {
  return isObject(item) ? item.type : undefined;
}
