// Notification filters as the API gives them: the results of which the user wants mail.

export const FILTERS_ADDRESS = '/api/notification_filters';
export const FILTERS_VERSION = 2;
export const ANY_PIPELINE = '[Any Pipeline]';
export const ANY_STAGE = '[Any Stage]';

/** The events of a stage, with their meanings. */
export const EVENTS = {
  All: 'whenever it ends',
  Fails: 'fails',
  Passes: 'passes',
  Breaks: 'breaks: fails after it had passed',
  Fixed: 'is fixed: passes after it had failed',
  Cancelled: 'is cancelled',
} as const;
export type EventName = keyof typeof EVENTS;

export interface Content {
  readonly pipeline: string;
  readonly stage: string;
  readonly event: EventName;
  readonly match_commits: boolean;
}

export interface Filter extends Content {
  readonly id: number;
}

export interface FilterList {
  readonly _embedded: { readonly filters: readonly Filter[] };
}

export const NEW_FILTER: Content = { pipeline: ANY_PIPELINE, stage: ANY_STAGE, event: 'Breaks', match_commits: false };

/** The stages that a filter covers: `any stage of web`. */
export function scopeText({ pipeline, stage }: Content): string {
  if (pipeline === ANY_PIPELINE) return stage === ANY_STAGE ? 'any stage of any pipeline' : `stage ${stage} of any pipeline`;
  return `${stage === ANY_STAGE ? 'any stage' : `stage ${stage}`} of ${pipeline}`;
}

/** The settings of the current user that decide about mail. */
export interface MailUser {
  readonly email: string;
  readonly email_me: boolean;
  readonly checkin_aliases: readonly string[];
}

/** Why no mail is sent although there are filters. */
export function mailProblems({ email, email_me, checkin_aliases }: MailUser, filters: readonly Content[]): string[] {
  if (filters.length === 0) return [];
  const missing: string[] = [];
  if (email === '') missing.push('No mail is sent: enter your mail address below.');
  if (!email_me) missing.push('No mail is sent: tick below that you want mail.');
  if (checkin_aliases.length === 0 && filters.some(({ match_commits }) => match_commits))
    missing.push('Filters for your own commits find none: enter below the names you commit as, or let the filters cover all commits.');
  return missing;
}
