// Names inside a pipeline: well formed, and each once.
import { isName, NAME_RULE } from '../../../shape/fields.ts';
import type { Path, Problem } from '../../../shape/problems/problem.ts';

export function nameProblems(kind: string, name: string, at: Path): Problem[] {
  return isName(name) ? [] : [{ at, message: `Invalid ${kind} name '${name}'. ${NAME_RULE}` }];
}

/** The indexes of items that share their name, in any letter case, with another item. */
export function repeated<T>(items: readonly T[], nameOf: (item: T) => string | null, keyOf = lowerCase): number[] {
  if (items.length < 2) return [];
  const counts = new Map<string, number>();
  const keys = items.map((item) => keyOf(nameOf(item) ?? ''));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.flatMap((key, index) => (key !== '' && counts.get(key)! > 1 ? [index] : []));
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}
