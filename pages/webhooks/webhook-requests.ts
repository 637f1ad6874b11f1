// What is asked of the server about webhooks.
import { path } from '../api/address.ts';
import { request, send } from '../api/client.ts';
import { bodyOf, type Form, WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type Webhook } from './webhook.ts';

/** With what its change has to name: the state that it is based on. */
export interface ReadWebhook {
  readonly webhook: Webhook;
  readonly etag: string;
}

export const addressOfWebhook = (id: string): string => path`/api/admin/webhooks/${id}`;

export async function readWebhook(id: string): Promise<ReadWebhook> {
  const response = await request(addressOfWebhook(id), { version: WEBHOOKS_VERSION });
  return { webhook: (await response.json()) as Webhook, etag: response.headers.get('ETag') ?? '' };
}

export function saveWebhook(form: Form, read?: ReadWebhook): Promise<unknown> {
  const body = bodyOf(form, read?.webhook);
  if (read === undefined) return send(WEBHOOKS_ADDRESS, { method: 'POST', version: WEBHOOKS_VERSION, body });
  return send(addressOfWebhook(read.webhook.id), { method: 'PUT', version: WEBHOOKS_VERSION, body, ifMatch: read.etag });
}
