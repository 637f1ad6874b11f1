// What the server says is wrong with what was sent. It answers with what was sent, and each object in it has its problems under `errors`.
import type { Path } from './part.ts';

/** What was sent, with problems in it. */
export type Answered = unknown;

export interface Problem {
  /** Where it stands. */
  readonly path: Path;
  readonly messages: readonly string[];
}

/** Those of one field. */
export function problemsAt(answered: Answered, path: Path): readonly string[] {
  let holder: unknown = answered;
  for (const step of path.slice(0, -1)) holder = stepInto(holder, step);
  const wanted = plain(path.at(-1) ?? '');
  return Object.entries(errorsOf(holder)).flatMap(([name, messages]) => (plain(name) === wanted ? messages : []));
}

/** All of them, in the order of the answer. */
export function allProblems(answered: Answered, path: Path = []): readonly Problem[] {
  if (typeof answered !== 'object' || answered === null) return [];
  const own = Object.entries(errorsOf(answered)).map(([name, messages]) => ({ path: [...path, name], messages }));
  const inner = Object.entries(answered)
    .filter(([name]) => name !== 'errors')
    .flatMap(([name, value]) => allProblems(value, [...path, Array.isArray(answered) ? Number(name) : name]));
  return [...own, ...inner];
}

/** Whether something in this part is wrong. */
export function hasProblemsIn(problems: readonly Problem[], path: Path): boolean {
  return problems.some(({ path: place }) => path.every((step, index) => step === place[index]));
}

/** A place in words: `stages › 2 › jobs › 1 › name`. Lists count from 1. */
export function placeText(path: Path): string {
  return path
    .filter((step) => step !== 'attributes')
    .map((step) => (typeof step === 'number' ? `${step + 1}` : step.replaceAll('_', ' ')))
    .join(' › ');
}

function stepInto(holder: unknown, step: string | number): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Readonly<Record<string | number, unknown>>)[step] : undefined;
}

function errorsOf(holder: unknown): Readonly<Record<string, readonly string[]>> {
  const errors = stepInto(holder, 'errors');
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => [name, Array.isArray(messages) ? messages.map(String) : [String(messages)]]),
  );
}

/** Some rules name fields in the form of the code: `pluginId`. */
function plain(name: string | number): string {
  return String(name).replaceAll('_', '').toLowerCase();
}
