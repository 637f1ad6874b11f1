// The address a request comes from: that of the client, even behind a proxy that is trusted. Of a row of proxies the one next to us is trusted,
// so it is the address which that one saw.
import type { IncomingMessage } from 'node:http';
import { forwardedIn } from './forwarded.ts';

export type FromSomewhere = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

export function clientAddresses({ trustProxy }: { readonly trustProxy: boolean }): (request: FromSomewhere) => string {
  const ofSocket = ({ socket }: FromSomewhere) => socket.remoteAddress ?? '';
  return trustProxy ? (request) => forwardedIn(request.headers).client || ofSocket(request) : ofSocket;
}
