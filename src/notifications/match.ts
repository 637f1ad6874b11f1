// The recipients of mail about a stage that has finished: pure decisions over the result of the stage and the users' filters.
import type { JobResult } from '../store/rows/builds.ts';
import { ANY_PIPELINE, ANY_STAGE, type FilterContent, type FilterEvent } from './filters.ts';

export type StageResult = Exclude<JobResult, 'Unknown'>;
export type StageEvent = Exclude<FilterEvent, 'All'>;

/** A completed run of a stage, with the fields that give the order of runs. */
export interface CompletedRun {
  readonly id: number;
  readonly completedAt: string;
  readonly result: StageResult;
}

/** The fields of a modification that filters look at; a run has those of all its materials, new or not. */
export interface Commit {
  readonly userName: string | null;
  readonly comment: string | null;
}

export interface FinishedStage {
  readonly pipeline: string;
  readonly stage: string;
  readonly event: StageEvent;
  readonly commits: readonly Commit[];
}

export interface MailRecipient {
  readonly loginName: string;
  readonly enabled: boolean;
  readonly email: string;
  readonly emailMe: boolean;
  readonly checkinAliases: readonly string[];
  readonly filters: readonly FilterContent[];
}

/** The result of the run of the same stage that was completed immediately before, with any counter; never that of the run itself. */
export function previousResult(runs: readonly CompletedRun[], current: Omit<CompletedRun, 'result'>): StageResult | undefined {
  const before = runs.filter((run) => run.id !== current.id && isBefore(run, current));
  return before.reduce<CompletedRun | undefined>((last, run) => (last && isBefore(run, last) ? last : run), undefined)?.result;
}

/** Each run has exactly one event: one that breaks a stage does not count as failing, too. */
export function eventOf(current: StageResult, previous: JobResult | undefined): StageEvent {
  if (current === 'Cancelled') return 'Cancelled';
  if (current === 'Passed') return previous === 'Failed' ? 'Fixed' : 'Passes';
  return previous === 'Passed' ? 'Breaks' : 'Fails';
}

/** The users who get mail, each once, however many of their filters match. */
export function recipientsOf<U extends MailRecipient>(
  run: FinishedStage,
  users: readonly U[],
  mayView: (loginName: string, pipeline: string) => boolean,
): U[] {
  return users.filter(
    (user) => wantsMail(user) && user.filters.some((filter) => matches(filter, run, user)) && mayView(user.loginName, run.pipeline),
  );
}

function wantsMail({ enabled, emailMe, email }: MailRecipient): boolean {
  return enabled && emailMe && email.trim() !== '';
}

function matches(filter: FilterContent, run: FinishedStage, { checkinAliases }: MailRecipient): boolean {
  return (
    (filter.pipeline === ANY_PIPELINE || filter.pipeline === run.pipeline) &&
    (filter.stage === ANY_STAGE || filter.stage === run.stage) &&
    (filter.event === 'All' || filter.event === run.event) &&
    (!filter.matchCommits || run.commits.some((commit) => isBy(commit, checkinAliases)))
  );
}

export function isBy({ userName, comment }: Commit, aliases: readonly string[]): boolean {
  return aliases
    .map((alias) => alias.trim())
    .filter((alias) => alias !== '')
    .some((alias) => {
      const found = mention(alias);
      return found.test(userName ?? '') || found.test(comment ?? '');
    });
}

/** An alias as a word of its own, or well inside another one; not at its beginning or its end alone. */
function mention(alias: string): RegExp {
  const literal = RegExp.escape(alias);
  return new RegExp(`\\b${literal}\\b|\\B${literal}\\B`);
}

function isBefore(one: Omit<CompletedRun, 'result'>, other: Omit<CompletedRun, 'result'>): boolean {
  return one.completedAt === other.completedAt ? one.id < other.id : one.completedAt < other.completedAt;
}
