// Merges the changes of two people to the same state, where they did not touch the same field.
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import { type List, namingOf } from './lists.ts';
import { match } from './match.ts';
import { mergedOrder } from './merged-order.ts';
import { step } from './pointer.ts';
import { plainName, withoutSecrets } from './secrets.ts';

/** A field that both have changed, each in another way. The values are without secrets; absent: there is nothing. */
export interface Overlap {
  /** JSON pointer into the state both began with, or into `mine` for new members. */
  readonly path: string;
  readonly base?: Json;
  readonly mine?: Json;
  readonly theirs?: Json;
}

/** It yields between its steps, and returns the outcome. */
type Steps<T> = Generator<undefined, T>;

export type Merge = { readonly merged: JsonObject } | { readonly overlaps: readonly Overlap[] };

/** One value in three states; undefined: the value is absent. */
interface Three<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

interface MergeContext {
  readonly path: string;
  /** The name of the member this is, or is in a list of. */
  readonly member: string;
  readonly overlaps: Overlap[];
}

/**
 * All in the sealed form, made together by `comparable`; so is the outcome. `mine` and `theirs` may be swapped. Fields are merged one by
 * one, lists of members with names member by member; any other list is one value. In steps, as the states may be large.
 */
export function* threeWay(base: JsonObject, mine: JsonObject, theirs: JsonObject): Steps<Merge> {
  const overlaps: Overlap[] = [];
  const merged = yield* merge({ base, mine, theirs }, { path: '', member: '', overlaps });
  return overlaps.length > 0 ? { overlaps } : { merged: merged as JsonObject };
}

/** Where there is an overlap, the returned value is meaningless. */
function* merge(three: Three<Json | undefined>, at: MergeContext): Steps<Json | undefined> {
  const { base, mine, theirs } = three;
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(theirs, base)) return mine;
  if (isDeepStrictEqual(mine, base)) return theirs;
  if (isObject(base) && isObject(mine) && isObject(theirs)) return yield* mergeMembers({ base, mine, theirs }, at);
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return yield* mergeLists({ base, mine, theirs }, at);
  return overlap(three, at);
}

function overlap({ base, mine, theirs }: Three<Json | undefined>, { path, member, overlaps }: MergeContext): undefined {
  overlaps.push({
    path,
    ...(base !== undefined && { base: withoutSecrets(base, member) }),
    ...(mine !== undefined && { mine: withoutSecrets(mine, member) }),
    ...(theirs !== undefined && { theirs: withoutSecrets(theirs, member) }),
  });
  return undefined;
}

function* mergeMembers(three: Three<JsonObject>, at: MergeContext): Steps<JsonObject> {
  const { base, mine, theirs } = three;
  const merged: Record<string, Json> = {};
  const names = new Set(Object.values(three).flatMap((state) => Object.keys(state)));
  for (const forms of Map.groupBy(names, (name) => fieldOf(name, three)).values()) {
    const isConflicting = forms.length > 1 && isTouchedByBoth(three, forms);
    for (const name of forms) {
      const values = { base: base[name], mine: mine[name], theirs: theirs[name] };
      const inside = { ...at, path: step(at.path, name), member: name };
      const value =
        isConflicting && !isDeepStrictEqual(values.mine, values.theirs) ? overlap(values, inside) : yield* merge(values, inside);
      if (value !== undefined) merged[name] = value;
    }
  }
  return merged;
}

/** Members that are one field in several forms: a change of one of them is a change of all. */
const FORMS: Readonly<Record<string, string>> = { args: 'arguments', nothing_on_cancel: 'on_cancel' };

function fieldOf(name: string, states: Three<JsonObject>): string {
  // Attributes of another type are other fields, even under the same name.
  if (name === 'attributes' && new Set(Object.values(states).map(({ type }) => type)).size > 1) return 'type';
  return FORMS[name] ?? plainName(name);
}

function isTouchedByBoth({ base, mine, theirs }: Three<JsonObject>, names: readonly string[]): boolean {
  const isSame = (one: JsonObject, other: JsonObject) => names.every((name) => isDeepStrictEqual(one[name], other[name]));
  return !isSame(base, mine) && !isSame(base, theirs) && !isSame(mine, theirs);
}

function* mergeLists(lists: Three<List>, at: MergeContext): Steps<Json | undefined> {
  const { base, mine, theirs } = lists;
  const naming = namingOf(at.member, [base, mine, theirs]);
  if (!naming) return overlap(lists, at);
  /** A changed member is identified by the name it had. */
  const named = (list: List) => {
    const { origins } = match(at.member, base, list)!;
    return new Map(list.map((item, index) => [naming.nameOf(base[origins[index] ?? -1] ?? item), item]));
  };
  const inBaseByName = named(base);
  yield undefined;
  const inMineByName = named(mine);
  yield undefined;
  const members = { base: inBaseByName, mine: inMineByName, theirs: named(theirs) };
  yield undefined;
  const [inBase, inMine, inTheirs] = [members.base, members.mine, members.theirs].map((all) => [...all.keys()]) as [
    string[],
    string[],
    string[],
  ];
  const order = mergedOrder({ base: inBase, mine: inMine, theirs: inTheirs }, naming.isOrdered);
  if (!order) return overlap(lists, at);
  const [indexInBase, indexInMine] = [indexByName(inBase), indexByName(inMine)];
  const merged: Json[] = [];
  for (const name of order) {
    const path = step(at.path, indexInBase.get(name) ?? indexInMine.get(name) ?? -1);
    const three = { base: members.base.get(name), mine: members.mine.get(name), theirs: members.theirs.get(name) };
    const item = yield* merge(three, { ...at, path });
    if (item !== undefined) merged.push(item);
    yield undefined;
  }
  // One may have given a member the name that the other has given to another one.
  return namingOf(at.member, [merged]) ? merged : overlap(lists, at);
}

function indexByName(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
