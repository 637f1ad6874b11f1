// The addresses of a host, checked: for programs that make their connections themselves.
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { guardedConnection } from './guarded-lookup.ts';
import type { NetworkPolicy } from './reach.ts';

/** Rejects with ForbiddenAddress for one that must not be connected to, and with the failure of the system for one that is not known. */
export function resolveGuarded(written: string, networkPolicy: NetworkPolicy, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const host = canonicalHost(written);
    const { lookup } = guardedConnection(host, networkPolicy);
    if (isIP(host) !== 0) return resolve([host]);
    // The lookup of the system goes on, but the caller no longer waits for it.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    lookup(host, { all: true }, (failure, found) => (failure ? reject(failure) : resolve(addressesIn(found))));
  });
}

/** As URLs write it: names in ASCII and small letters, addresses in their usual form, whatever their spelling. */
export function canonicalHost(host: string): string {
  const [plain = ''] = host.split('%');
  const found = URL.parse(`http://${plain.includes(':') ? `[${plain}]` : plain}/`);
  return found?.hostname.replace(/^\[|\]$/g, '') ?? host;
}

function addressesIn(found: string | LookupAddress[]): readonly string[] {
  return typeof found === 'string' ? [found] : found.map(({ address }) => address);
}
