// Names inside a pipeline: well formed, and each once.
import { isName, NAME_RULE } from '../../shape/fields.ts';
import { must, type Path, type Problem } from '../../shape/problem.ts';

export function nameProblems(kind: string, name: string, at: Path): Problem[] {
  return must(isName(name), at, `Invalid ${kind} name '${name}'. ${NAME_RULE}`);
}

/** The places of those whose name, whatever its letter case, another one before or after has too. */
export function repeated<T>(items: readonly T[], nameOf: (item: T) => string | null): number[] {
  const counts = new Map<string, number>();
  const keys = items.map((item) => nameOf(item)?.toLowerCase() ?? '');
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.flatMap((key, index) => (key !== '' && counts.get(key)! > 1 ? [index] : []));
}
