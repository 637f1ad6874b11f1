// Ties connections to the addresses they may go to: the checked address is the one connected to, even if the name led elsewhere before.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { forbidden, type NetworkPolicy } from './reach.ts';

type Answer = (failure: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;
export type GuardedLookup = (host: string, options: LookupOptions, answer: Answer) => void;

/** For the option `lookup` of a connection. One forbidden address among those of a name is enough to refuse it. */
export function guardedLookup(networkPolicy: NetworkPolicy, resolveName: typeof lookup = lookup): GuardedLookup {
  return (host, options, answer) => {
    resolveName(host, { ...options, all: true }, (failure, found) => {
      if (failure) return answer(failure, []);
      const [refused] = found.flatMap(({ address }) => forbidden(host, address, networkPolicy) ?? []);
      if (refused) return answer(refused, []);
      const [first] = found;
      if (options.all || !first) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };
}

/** The options of a connection to a host. Throws for a bare address that is forbidden: a connection to one looks up nothing. */
export function guardedConnection(host: string, networkPolicy: NetworkPolicy): { readonly lookup: GuardedLookup } {
  const bare = host.replace(/^\[|\]$/g, '');
  const refused = isIP(bare.replace(/%.*$/, '')) === 0 ? undefined : forbidden(bare, bare, networkPolicy);
  if (refused) throw refused;
  return { lookup: guardedLookup(networkPolicy) };
}
