// Collects the problems of one object: a place is written out only when there is something to say.
import type { Path, Problem } from '../../../shape/problems/problem.ts';

export type Report = (key: string, message: string) => void;

export function reporter(problems: Problem[], at: Path): Report {
  return (key, message) => problems.push({ at: [...at, key], message });
}
