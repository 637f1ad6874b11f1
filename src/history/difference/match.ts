// Finds which member of one list is which of another.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '../../shape/json/json.ts';
import { type List, namingOf } from './lists.ts';

/** For each member of the later list its place in the earlier one; undefined: it is new. */
export type Origins = readonly (number | undefined)[];

export interface Matched {
  readonly origins: Origins;
  /** Places in the earlier list of those that are gone. */
  readonly gone: readonly number[];
}

/** Above this many comparisons, lists of members without names are compared place by place. */
const MAX_COMPARISONS = 250_000;

/** Undefined: the list is one value, and has no members that could be told apart. */
export function match(member: string, before: List, after: List): Matched | undefined {
  const naming = namingOf(member, [before, after]);
  if (!naming && ![...before, ...after].every(isObject)) return undefined;
  const origins = naming ? byName(before, after, naming.nameOf) : byCommonSubsequence(before, after);
  pairLeftovers(before, after, origins, naming !== undefined);
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
  const isSame = (one: number, other: number) => isDeepStrictEqual(before[one], after[other]);
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

/**
 * A member without a match by name or content may still be an older one, changed: the only material of its type,
 * or a task in the same gap.
 */
function pairLeftovers(before: List, after: List, origins: (number | undefined)[], isNamed: boolean): void {
  const kept = new Set(origins);
  const left = (list: List, isTaken: (index: number) => boolean) =>
    [...list.keys()].filter((index) => !isTaken(index) && isVariant(list[index]!));
  const gone = left(before, (index) => kept.has(index));
  const fresh = left(after, (index) => origins[index] !== undefined);
  for (const index of fresh) {
    const candidates = gone.filter((one) => typeOf(before[one]!) === typeOf(after[index]!));
    const [only] = candidates;
    if (only === undefined) continue;
    const rivals = fresh.filter((one) => typeOf(after[one]!) === typeOf(after[index]!));
    const isClear = isNamed ? candidates.length === 1 && rivals.length === 1 : keepsOrder(origins, index, only);
    if (!isClear) continue;
    origins[index] = only;
    gone.splice(gone.indexOf(only), 1);
  }
}

function keepsOrder(origins: Origins, index: number, origin: number): boolean {
  return origins.every((other, at) => other === undefined || (at < index ? other < origin : other > origin));
}

/** Of one of several types; the type determines its attributes. */
function isVariant(item: Json): boolean {
  return isObject(item) && 'type' in item;
}

function typeOf(item: Json): Json | undefined {
  return isObject(item) ? item.type : undefined;
}
