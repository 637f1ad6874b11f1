// Refuses webhooks whose very address lies on the network of the server; what names lead to is looked at with every connection.
import { isIP } from 'node:net';
import { invalid } from './config/check.ts';
import type { Draft } from './config/draft.ts';
import { isOnOwnNetwork } from './kit/network/own-network.ts';
import type { Kind } from './shape/resource.ts';

export const OWN_NETWORK =
  'This address lies on the network of the server. Webhooks may go there only when the server is started with --allow-private-webhooks.';

export function keepsWebhooksOutside(kind: Kind): (draft: Draft) => void {
  return (draft) => {
    for (const edit of draft.edits) {
      if (edit.kind !== kind || !edit.after || !isInside(String(edit.after.value.url))) continue;
      throw invalid(edit, [{ at: ['url'], message: OWN_NETWORK }], edit.operation);
    }
  };
}

function isInside(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : isOnOwnNetwork(host);
}
