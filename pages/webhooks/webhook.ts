// Outgoing webhooks as the API gives them, and the body that a form sends.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import type { KeepsStored } from '../forms/edit/unsent.ts';
import { pluralize } from '../kit/text/text.ts';

export type Deliveries = Pick<AnswerOf<'GET /api/admin/webhooks/{id}/deliveries'>, 'queue' | '_embedded'>;
export type Queue = Deliveries['queue'];
export type Delivery = ListItem<'GET /api/admin/webhooks/{id}/deliveries', 'deliveries'>;

export const WEBHOOKS_ADDRESS = '/api/admin/webhooks';
export const WEBHOOKS_VERSION = 1;

export const FILTER_PARTS = {
  types: 'Types of events',
  actors: 'Done by',
  resources: 'About things of this kind',
  ids: 'About things of this id',
} as const;
export type FilterPart = keyof typeof FILTER_PARTS;
export const FILTER_PART_NAMES = Object.keys(FILTER_PARTS) as readonly FilterPart[];

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

/** The body of a request: with the typed secret, or else the stored encrypted secret. */
export interface WebhookBody extends Webhook, KeepsStored {
  readonly secret?: string;
}

export const NEW_WEBHOOK: WebhookBody = {
  id: '',
  url: '',
  secret: '',
  filter: { types: [], actors: [], resources: [], ids: [] },
  enabled: true,
};

/** Without the members that only answers have. */
export function bodyOf({ id, url, encrypted_secret, filter, enabled }: Webhook): WebhookBody {
  return { id, url, filter, enabled, ...(encrypted_secret !== undefined && { encrypted_secret }) };
}

/** Which events it wants: `types: backup.*; done by: jez`. */
export function wantsText({ filter }: Webhook): string {
  const parts = FILTER_PART_NAMES.filter((part) => filter[part].length > 0);
  if (parts.length === 0) return 'all events';
  return parts.map((part) => `${part}: ${filter[part].join(', ')}`).join('; ');
}

/** How far a webhook is, in a word. */
export function queueText({ behind, uncounted, failures }: Queue): string {
  const more = uncounted > 0 ? ` and up to ${uncounted} more` : '';
  if (failures > 0) return `failing: ${pluralize(failures, 'try', 'tries')} in a row, ${pluralize(behind, 'event')}${more} waiting`;
  return behind + uncounted === 0 ? 'all delivered' : `${pluralize(behind, 'event')}${more} waiting`;
}
