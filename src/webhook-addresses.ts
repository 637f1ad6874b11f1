// Refuses webhooks whose very address lies on the network of the server; what names lead to is looked at with every connection.
import { isIP } from 'node:net';
import { invalid } from './config/check.ts';
import type { Draft } from './config/draft.ts';
import { isOnOwnNetwork } from './kit/network/own-network.ts';
import type { Kind } from './shape/resource.ts';

const onOwnNetwork = (host: string) =>
  `The address ${host} lies on the network of the server. Webhooks may go there only when the server is started with --allow-private-webhooks.`;

export function keepsWebhooksOutside(kind: Kind): (draft: Draft) => void {
  return (draft) => {
    for (const edit of draft.edits) {
      if (edit.kind !== kind || !edit.after) continue;
      const host = hostOf(String(edit.after.value.url));
      if (isInside(host)) throw invalid(edit, [{ at: ['url'], message: onOwnNetwork(host) }], edit.operation);
    }
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

function isInside(host: string): boolean {
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : isOnOwnNetwork(host);
}
