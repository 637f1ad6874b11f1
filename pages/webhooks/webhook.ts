// Outgoing webhooks as the API gives them, and what a form makes of them.
import { counted, namesIn } from '../kit/text/text.ts';

export const WEBHOOKS_ADDRESS = '/api/admin/webhooks';
export const WEBHOOKS_VERSION = 1;

export const FILTER_PARTS = {
  types: 'Types of events',
  actors: 'Done by',
  resources: 'About things of this kind',
  ids: 'About things of this id',
} as const;
export type FilterPart = keyof typeof FILTER_PARTS;

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly encrypted_secret?: string;
  readonly filter: Readonly<Record<FilterPart, readonly string[]>>;
  readonly enabled: boolean;
}

export interface WebhookList {
  readonly _embedded: { readonly webhooks: readonly Webhook[] };
}

export interface Queue {
  readonly position: number;
  readonly behind: number;
  readonly uncounted: number;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly last_error: string | null;
  readonly delivered_at: string | null;
}

export interface Delivery {
  readonly id: number;
  readonly event: number;
  readonly type: string;
  readonly attempt: number;
  readonly time: string;
  readonly milliseconds: number;
  readonly status: number | null;
  readonly error: string | null;
}

export interface Deliveries {
  readonly queue: Queue;
  readonly _embedded: { readonly deliveries: readonly Delivery[] };
}

/** What somebody types. */
export type Form = Readonly<Record<FilterPart, string>> & {
  readonly id: string;
  readonly url: string;
  /** Empty: the one that it has. */
  readonly secret: string;
  readonly enabled: boolean;
};

export const EMPTY_FORM: Form = { id: '', url: '', secret: '', enabled: true, types: '', actors: '', resources: '', ids: '' };

export function formOf({ id, url, enabled, filter: { types, actors, resources, ids } }: Webhook): Form {
  return {
    id,
    url,
    enabled,
    secret: '',
    types: types.join(', '),
    actors: actors.join(', '),
    resources: resources.join(', '),
    ids: ids.join(', '),
  };
}

export function bodyOf({ id, url, secret, enabled, types, actors, resources, ids }: Form, before?: Webhook): object {
  return {
    id,
    url,
    enabled,
    filter: { types: namesIn(types), actors: namesIn(actors), resources: namesIn(resources), ids: namesIn(ids) },
    ...(secret === '' && before !== undefined ? { encrypted_secret: before.encrypted_secret } : { secret }),
  };
}

/** Which events it wants: `types: backup.*; done by: jez`. */
export function wantsText({ filter }: Webhook): string {
  const parts = (Object.keys(FILTER_PARTS) as FilterPart[]).filter((part) => filter[part].length > 0);
  if (parts.length === 0) return 'all events';
  return parts.map((part) => `${part}: ${filter[part].join(', ')}`).join('; ');
}

/** How far a webhook is, in a word. */
export function queueText({ behind, uncounted, failures }: Queue): string {
  const more = uncounted > 0 ? ` and up to ${uncounted} more` : '';
  if (failures > 0) return `failing: ${counted(failures, 'try', 'tries')} in a row, ${counted(behind, 'event')}${more} waiting`;
  return behind + uncounted === 0 ? 'all delivered' : `${counted(behind, 'event')}${more} waiting`;
}
