// Refuses webhooks whose address itself is forbidden; the addresses of host names are checked with every connection.
import { isIP } from 'node:net';
import { type Edit, isEditOf } from '../../../config/edit.ts';
import type { Entry } from '../../../config/entry.ts';
import { type ForbiddenAddress, forbidden, type NetworkPolicy } from '../../../kit/network/reach.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import type { Problem } from '../../../shape/problems/problem.ts';

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = '127.0.0.1';

/** One that was saved while the setting allowed it can be disabled, and edited otherwise; the connection is refused to it all the same. */
export function keepsWebhooksInReach(networkPolicy: NetworkPolicy): (edit: Edit) => readonly Problem[] {
  return (edit) => {
    if (!isEditOf('outgoingWebhooks', edit) || !edit.after) return [];
    const target = targetOf(edit.after);
    if (target === undefined || target === targetOf(edit.before)) return [];
    const refused = refusalOf(hostOf(target), networkPolicy);
    return refused ? [{ at: ['url'], message: refused.message }] : [];
  };
}

/** Where it sends to; undefined: nowhere. */
function targetOf(webhook: Entry<EntityNamed<'outgoingWebhooks'>> | undefined): string | undefined {
  return webhook?.value.enabled ? webhook.value.url : undefined;
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

function refusalOf(host: string, networkPolicy: NetworkPolicy): ForbiddenAddress | undefined {
  if (isIP(host) !== 0) return forbidden(host, host, networkPolicy);
  return LOCALHOST.test(host) ? forbidden(host, LOOPBACK, networkPolicy) : undefined;
}
