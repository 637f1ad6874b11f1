// A change of very many entities: decided, checked and made ready in slices, so that reads go on meanwhile.

import type { Pause } from '../kit/concurrency/time-slices.ts';
import { Refusal } from '../kit/refusal.ts';
import { isPluginProblem, type Problem } from '../shape/problems/problem.ts';
import type { EntityCheck } from './check.ts';
import { checkAll, type Finding } from './check-all.ts';
import { Config } from './current.ts';
import type { Draft } from './draft.ts';
import type { Edit } from './edit.ts';

/** All problems of a large change. */
export class InvalidChange extends Error {
  readonly findings: readonly Finding[];
  /** The problems of the change as a whole, which belong to no entity. */
  readonly conditions: readonly string[];

  constructor(findings: readonly Finding[], conditions: readonly string[]) {
    super('The change is invalid.');
    this.findings = findings;
    this.conditions = conditions;
  }
}

/** Receives the problems that plugins find in settings, by entity. */
export type OnPluginProblems = (findings: readonly Finding[]) => void;

export interface Conditions {
  readonly checks: readonly EntityCheck[];
  readonly guards: readonly ((draft: Draft) => void)[];
  /** Completions edit the draft further before it is checked; a refusal by one counts like a refusal by a guard. */
  readonly completions: readonly ((draft: Draft) => void)[];
  /** Absent: the change is refused because of these problems, as because of any others. */
  readonly onPluginProblems: OnPluginProblems | undefined;
}

/** Undefined: the draft is valid. */
export async function validateDraft(
  draft: Draft,
  { checks, guards, completions, onPluginProblems }: Conditions,
  pause: Pause,
): Promise<InvalidChange | undefined> {
  const incomplete = completions.flatMap((completion) => refusalOf(completion, draft) ?? []);
  const found = await checkAll(draft, checks, pause);
  onPluginProblems?.(only(found, isPluginProblem));
  const findings = onPluginProblems ? only(found, (problem) => !isPluginProblem(problem)) : found;
  const conditions = [...incomplete, ...guards.flatMap((guard) => refusalOf(guard, draft) ?? [])];
  return findings.length + conditions.length > 0 ? new InvalidChange(findings, conditions) : undefined;
}

function only(findings: readonly Finding[], isMeant: (problem: Problem) => boolean): Finding[] {
  return findings
    .map((finding) => ({ ...finding, problems: finding.problems.filter(isMeant) }))
    .filter(({ problems }) => problems.length > 0);
}

function refusalOf(guard: (draft: Draft) => void, draft: Draft): string | undefined {
  try {
    guard(draft);
    return undefined;
  } catch (failure) {
    if (failure instanceof Refusal) return failure.message;
    throw failure;
  }
}

/** The configuration with the edits done, made as a copy: readers see all edits at once, when it is taken over. */
export async function withEdits(config: Config, edits: readonly Edit[], pause: Pause): Promise<Config> {
  const next = new Config([...config.kinds.values()]);
  next.secrets = config.secrets;
  next.idsInTexts = config.idsInTexts;
  await next.copyFrom(config, pause);
  for (const { kind, key, after } of edits) {
    next.replace(kind, key, after);
    await pause();
  }
  return next;
}
