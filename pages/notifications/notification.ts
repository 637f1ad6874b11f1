// Notification filters as the API gives them: of which results somebody wants mail.

export const FILTERS_ADDRESS = '/api/notification_filters';
export const FILTERS_VERSION = 2;
export const ANY_PIPELINE = '[Any Pipeline]';
export const ANY_STAGE = '[Any Stage]';

/** What can happen to a stage, with what that means. */
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

export const NEW_FILTER: Content = { pipeline: ANY_PIPELINE, stage: ANY_STAGE, event: 'Breaks', match_commits: true };

/** Of what it tells: `any stage of web`. */
export function placeText({ pipeline, stage }: Content): string {
  if (pipeline === ANY_PIPELINE) return stage === ANY_STAGE ? 'any stage of any pipeline' : `stage ${stage} of any pipeline`;
  return `${stage === ANY_STAGE ? 'any stage' : `stage ${stage}`} of ${pipeline}`;
}
