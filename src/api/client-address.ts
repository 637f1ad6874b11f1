// The address a request comes from: that of the client, even behind a proxy that is trusted.
import type { IncomingMessage } from 'node:http';
import { firstOf } from './forwarded.ts';

export type FromSomewhere = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

export function clientAddresses({ trustProxy }: { readonly trustProxy: boolean }): (request: FromSomewhere) => string {
  const ofSocket = ({ socket }: FromSomewhere) => socket.remoteAddress ?? '';
  return trustProxy ? (request) => firstOf(request.headers['x-forwarded-for']) || ofSocket(request) : ofSocket;
}
