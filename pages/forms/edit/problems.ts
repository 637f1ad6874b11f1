// Problems that the server found in a body. It answers with the body, and each object in it has its problems under `errors`.
import { type Path, valueAt } from './lens.ts';

export interface Problem {
  /** Where it stands: the last step is the name of a member, as the server calls it. */
  readonly path: Path;
  readonly messages: readonly string[];
}

/** All problems, in the order of the answer. */
export function allProblems(answer: unknown, path: Path = []): readonly Problem[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const own = Object.entries(errorsOf(answer)).map(([name, messages]) => ({ path: [...path, name], messages }));
  const inner = Object.entries(answer)
    .filter(([name]) => name !== 'errors')
    .flatMap(([name, value]) => allProblems(value, [...path, Array.isArray(answer) ? Number(name) : name]));
  return [...own, ...inner];
}

/** The problems of one field. */
export function problemsAt(problems: readonly Problem[], path: Path): readonly string[] {
  const wanted = plain(path.at(-1) ?? '');
  return problems.flatMap(({ path: problemPath, messages }) =>
    problemPath.length === path.length && plain(problemPath.at(-1) ?? '') === wanted && hasStart(problemPath, path.slice(0, -1))
      ? messages
      : [],
  );
}

/** Whether something in this part is wrong. */
export function hasProblemsIn(problems: readonly Problem[], path: Path): boolean {
  return problems.some(({ path: problemPath }) => hasStart(problemPath, path));
}

/** Whether the user has changed the value since: the problem may no longer be true. */
export function isChangedAt({ path }: Problem, sent: unknown, now: unknown): boolean {
  const [before, after] = [valueAt(sent, path.slice(0, -1)), valueAt(now, path.slice(0, -1))];
  const wanted = plain(path.at(-1) ?? '');
  const name = typeof before === 'object' && before !== null ? Object.keys(before).find((one) => plain(one) === wanted) : undefined;
  return name === undefined ? before !== after : valueAt(before, [name]) !== valueAt(after, [name]);
}

function hasStart(path: Path, start: Path): boolean {
  return start.every((step, index) => step === path[index]);
}

function errorsOf(holder: object): Readonly<Record<string, readonly string[]>> {
  const errors = 'errors' in holder ? holder.errors : undefined;
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => [name, Array.isArray(messages) ? messages.map(String) : [String(messages)]]),
  );
}

/** Some rules name fields in the form of the code: `pluginId`. */
function plain(name: string | number): string {
  return String(name).replaceAll('_', '').toLowerCase();
}
