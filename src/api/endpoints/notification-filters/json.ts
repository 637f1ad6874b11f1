// Notification filters as JSON.
import type { Filter, FilterContent } from '../../../notifications/filters.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { docLink, links } from '../common/links.ts';

export const FILTERS_PATH = '/api/notification_filters';

/** Content as it was sent: the event may be any text. */
export type SentContent = Omit<FilterContent, 'event'> & { readonly event: string };

export function filterListJson(filters: readonly Filter[], base: string): JsonOut {
  return {
    _links: links(base, { self: FILTERS_PATH, doc: docLink('notification-filters') }),
    _embedded: { filters: filters.map((filter) => filterJson(filter, base)) },
  };
}

export function filterJson(filter: Filter, base: string): JsonOut {
  const addresses = { self: `${FILTERS_PATH}/${filter.id}`, doc: docLink('notification-filters'), find: `${FILTERS_PATH}/:id` };
  return { _links: links(base, addresses), id: filter.id, ...contentJson(filter) };
}

export function contentJson({ pipeline, stage, event, matchCommits }: SentContent): JsonOut {
  return { pipeline, stage, event, match_commits: matchCommits };
}
