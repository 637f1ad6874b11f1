// Requests to the server about webhooks.
import { path } from '../api/address.ts';
import { request } from '../api/client.ts';
import type { Entity } from '../forms/save/entity.ts';
import { bodyOf, WEBHOOKS_VERSION, type Webhook, type WebhookBody } from './webhook.ts';

export const addressOfWebhook = (id: string): string => path`/api/admin/webhooks/${id}`;

/** With its ETag, which a change has to name. */
export async function readWebhook(id: string): Promise<Entity<WebhookBody>> {
  const response = await request(addressOfWebhook(id), { version: WEBHOOKS_VERSION });
  return { value: bodyOf((await response.json()) as Webhook), etag: response.headers.get('ETag') ?? undefined };
}
