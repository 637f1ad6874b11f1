// Looks up names for connections that must not go everywhere: what is judged is what is connected to, whatever a name meant before.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';

export class ForbiddenAddress extends Error {}

export type MayConnect = (address: string) => boolean;
type Answer = (failure: Error | null, address: string | LookupAddress[], family?: number) => void;

/** For the option `lookup` of a connection. One forbidden address among those of a name is enough to refuse it. */
export function guardedLookup(mayConnect: MayConnect, look: typeof lookup = lookup) {
  return (host: string, options: LookupOptions, answer: Answer): void => {
    look(host, { ...options, all: true }, (failure, found) => {
      if (failure) return answer(failure, []);
      const forbidden = found.find(({ address }) => !mayConnect(address));
      if (forbidden) return answer(forbiddenAddress(host, forbidden.address), []);
      const [first] = found;
      if (options.all || !first) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };
}

/** A connection to a bare address looks up nothing. */
export function refuseForbidden(url: URL, mayConnect: MayConnect): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(host)) throw forbiddenAddress(host, host);
}

export function forbiddenAddress(host: string, address: string): ForbiddenAddress {
  const where = host === address ? address : `${host} is ${address}, which`;
  return new ForbiddenAddress(`${where} lies on the network of this server.`);
}
