// The order of a list that two people have changed, by the names of its members.
import { isDeepStrictEqual } from 'node:util';

export interface Orders {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** All names in their order afterwards, removed ones included; undefined: both want another order. */
export function mergedOrder({ base, mine, theirs }: Orders, isOrdered: boolean): string[] | undefined {
  const known = new Set(base);
  const kept = (names: readonly string[]) => names.filter((name) => known.has(name));
  const isMoved = (names: readonly string[]) => !isDeepStrictEqual(kept(names), base.filter(isIn(names)));
  const movers = [mine, theirs].filter(isMoved).map(kept);
  if (movers.length === 2 && !isDeepStrictEqual(movers[0], movers[1])) return undefined;
  const additions = [mine, theirs].map((names) => additionsOf(names, known));
  const order: string[] = [];
  for (const anchor of [START, ...withMissing(movers[0] ?? base, base)]) {
    if (anchor !== START) order.push(anchor);
    const [one = [], other = []] = additions.map((followers) => followers.get(anchor) ?? []);
    const together = joined(one, other, isOrdered);
    if (!together) return undefined;
    order.push(...together);
  }
  // A member that both have added, in different places, stays at the first.
  return [...new Set(order)];
}

/** The beginning of the list; no member has such a name. */
const START = '\u0000start';

function isIn(names: readonly string[]): (name: string) => boolean {
  const all = new Set(names);
  return (name) => all.has(name);
}

/** A member that the mover has dropped stays after its predecessor: others may have put something after it. */
function withMissing(order: readonly string[], base: readonly string[]): string[] {
  const isKept = isIn(order);
  const indexes = new Map(base.map((name, index) => [name, index]));
  const all: string[] = [];
  for (const index of [-1, ...order.map((name) => indexes.get(name)!)]) {
    if (index >= 0) all.push(base[index]!);
    for (let next = index + 1; next < base.length && !isKept(base[next]!); next++) all.push(base[next]!);
  }
  return all;
}

/** The new names by the old one they stand after. */
function additionsOf(names: readonly string[], known: ReadonlySet<string>): Map<string, string[]> {
  const followers = new Map<string, string[]>();
  let anchor = START;
  for (const name of names) {
    if (known.has(name)) anchor = name;
    else followers.getOrInsertComputed(anchor, () => []).push(name);
  }
  return followers;
}

/** Where the order means nothing, the names are sorted, so that it does not matter which change came first. */
function joined(one: readonly string[], other: readonly string[], isOrdered: boolean): readonly string[] | undefined {
  if (other.length === 0 || isDeepStrictEqual(one, other)) return one;
  if (one.length === 0) return other;
  return isOrdered ? undefined : [...new Set([...one, ...other])].sort();
}
