// Why definitions left the configuration, as the history shows it. Pure.
import { type Referral, referralText } from './rules.ts';

export interface ForbiddenDefinitions {
  /** The references that the rules do not allow any more. */
  readonly referrals: readonly Referral[];
  /** The repos that depend on it and are withdrawn, too. */
  readonly others: readonly WithdrawnRepo[];
}

export interface WithdrawnRepo {
  readonly repo: string;
  readonly pipelines: readonly string[];
}

/** More names would make the reason too long to read. */
const MAX_NAMED = 5;

export function withdrawalReason({ referrals, others }: ForbiddenDefinitions, source: string): string {
  const why = `Withdrawn, because the rules no longer allow it to refer to ${listed(referrals.map(referralText))}: ${source}`;
  if (others.length === 0) return why;
  return `${why}. Withdrawn with it, because it depends on it: ${listed(others.map(goingAlong))}`;
}

function goingAlong({ repo, pipelines }: WithdrawnRepo): string {
  const named = pipelines.length === 0 ? '' : ` (${pipelines.length === 1 ? 'pipeline' : 'pipelines'} ${listed(pipelines)})`;
  return `config repo ${repo}${named}`;
}

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const more = distinct.length > MAX_NAMED ? [`${distinct.length - MAX_NAMED} more`] : [];
  return [...distinct.slice(0, MAX_NAMED), ...more].join(', ');
}
