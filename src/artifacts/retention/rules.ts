// Rules by age and count: which rule a pipeline has, and which runs it deletes.
import { pluralize } from '../../kit/text/pluralize.ts';
import { matchesWildcard } from '../../kit/text/wildcard.ts';

export interface RetentionRule {
  /** A name, or several by `*` and `?`. */
  readonly pipelines: string;
  readonly keepRuns: number | null;
  readonly keepDays: number | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first one that matches. */
export function ruleFor(pipeline: string, rules: readonly RetentionRule[]): RetentionRule | undefined {
  return rules.find(({ pipelines }) => matchesWildcard(pipelines, pipeline));
}

/** A rule that keeps everything is an exception from those after it. */
export function keepsAll({ keepRuns, keepDays }: RetentionRule): boolean {
  return keepRuns === null && keepDays === null;
}

/** The number of the newest runs that stay, at any age. The newest always does: others may fetch from it. */
export function newestKept({ keepRuns }: RetentionRule): number {
  return keepRuns ?? 1;
}

/** A run stays if either number keeps it. `keptFrom`: the counter of the oldest run kept by its number; undefined: all of them are. */
export function reasonByRule(
  run: { readonly pipelineCounter: number; readonly completedAt: number | null },
  rule: RetentionRule,
  keptFrom: number | undefined,
  now: number,
): string | undefined {
  const { keepDays } = rule;
  if (keepsAll(rule) || keptFrom === undefined || run.pipelineCounter >= keptFrom) return undefined;
  if (keepDays !== null && (run.completedAt === null || run.completedAt > now - keepDays * DAY_MS)) return undefined;
  return describeRule(rule);
}

function describeRule({ pipelines, keepRuns, keepDays }: RetentionRule): string {
  const older = keepDays === null ? undefined : `older than ${counted(keepDays, 'day')}`;
  const beyond = keepRuns === null ? undefined : `not of the last ${counted(keepRuns, 'run')}`;
  return `By the rule for '${pipelines}': ${[beyond, older].filter((part) => part !== undefined).join(', and ')}.`;
}

function counted(number: number, noun: string): string {
  return number === 1 ? noun : pluralize(number, noun);
}
