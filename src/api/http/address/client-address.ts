// The address a request comes from: that of the client, even behind proxies that are trusted.
import type { IncludesAddress } from '../../../kit/network/address-list.ts';
import { forwardedIn, type ProxiedRequest } from './forwarded.ts';

/** `isTrusted` says which addresses are trusted proxies; undefined: there are none. */
export function clientAddresses(isTrusted: IncludesAddress | undefined): (request: ProxiedRequest) => string {
  const ofSocket = ({ socket }: ProxiedRequest) => socket.remoteAddress ?? '';
  return isTrusted ? (request) => forwardedIn(request, isTrusted).client ?? ofSocket(request) : ofSocket;
}
