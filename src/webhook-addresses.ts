// Refuses webhooks whose very address lies on the network of the server; what names lead to is looked at with every connection.
import { isIP } from 'node:net';
import type { Judge } from './config/check.ts';
import type { Entry } from './config/entry.ts';
import { isOnOwnNetwork } from './kit/network/own-network.ts';
import type { Kind } from './shape/resource.ts';

const onOwnNetwork = (host: string) =>
  `The address ${host} lies on the network of the server. Webhooks may go there only when the server is started with --allow-private-webhooks.`;

/** One that was saved while the setting allowed it can be disabled, and edited otherwise; the connection is refused to it all the same. */
export function keepsWebhooksOutside(kind: Kind): Judge {
  return ({ kind: edited, before, after }) => {
    if (edited !== kind || !after) return [];
    const target = targetOf(after);
    if (target === undefined || target === targetOf(before)) return [];
    const host = hostOf(target);
    return isInside(host) ? [{ at: ['url'], message: onOwnNetwork(host) }] : [];
  };
}

/** Where it sends to; undefined: nowhere. */
function targetOf(webhook: Entry | undefined): string | undefined {
  return webhook?.value.enabled === true ? String(webhook.value.url) : undefined;
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

function isInside(host: string): boolean {
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : isOnOwnNetwork(host);
}
