// The forwarding headers of trusted proxies: lists, to which each proxy appends the address, host and protocol that it saw.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { IncludesAddress } from '../../../kit/network/address-list.ts';

/** The client's request as the outermost trusted proxy saw it; values it does not report are undefined. */
export interface ForwardedRequest {
  readonly client: string | undefined;
  readonly proto: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
}

export type ProxiedRequest = Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

type Entry = Readonly<Partial<Record<string, string>>>;

const NOTHING: ForwardedRequest = { client: undefined, proto: undefined, host: undefined, port: undefined };
const X_FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port'];
/** A comma between two proxies, or a pair of one, whose value may be quoted. */
const PART = /,|([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*))/g;

/**
 * Any client can send these headers, so they count only from a trusted proxy. A proxy that writes `X-Forwarded-…` passes on the
 * `Forwarded` of its client: that counts only without `X-Forwarded-…`.
 */
export function forwardedIn({ headers, socket }: ProxiedRequest, isTrusted: IncludesAddress): ForwardedRequest {
  if (!isTrusted(socket.remoteAddress ?? '')) return NOTHING;
  const { forwarded } = headers;
  if (forwarded === undefined || X_FORWARDED.some((name) => headers[name] !== undefined)) {
    const { client, depth } = pastTrustedHops(listed(headers['x-forwarded-for']).map(addressIn), isTrusted);
    const headerValue = (name: string) => fromRight(listed(headers[name]), depth);
    return {
      client,
      proto: headerValue('x-forwarded-proto'),
      host: headerValue('x-forwarded-host'),
      port: headerValue('x-forwarded-port'),
    };
  }
  const entries = entriesOf(forwarded);
  const { client, depth } = pastTrustedHops(
    entries.map((entry) => addressIn(entry.for)),
    isTrusted,
  );
  const { proto, host } = fromRight(entries, depth) ?? {};
  return { client, proto, host, port: undefined };
}

/** The first address from the right that is no trusted proxy, and its place from the right. A value that is no address ends the search. */
function pastTrustedHops(addresses: readonly string[], isTrusted: IncludesAddress): { client: string | undefined; depth: number } {
  let client: string | undefined;
  let depth = 0;
  for (const address of addresses.toReversed()) {
    if (isIP(address) === 0) break;
    client = address;
    depth++;
    if (!isTrusted(address)) break;
  }
  return { client, depth: Math.max(depth, 1) };
}

/** A list that not every proxy adds to is shorter: its first entry is then from the outermost that does. */
function fromRight<T>(list: readonly T[], depth: number): T | undefined {
  return list.at(-Math.min(depth, list.length));
}

function listed(header: string | string[] | undefined): readonly string[] {
  return header === undefined
    ? []
    : String(header)
        .split(',')
        .map((entry) => entry.trim());
}

/** The header of RFC 7239. */
function entriesOf(forwarded: string): readonly Entry[] {
  const entries: Record<string, string>[] = [{}];
  for (const [part, name, quoted, plain] of forwarded.matchAll(PART)) {
    if (part === ',') entries.push({});
    else entries.at(-1)![name!.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? plain!;
  }
  return entries;
}

/** Without its port; one of version 6 stands in brackets. */
function addressIn(node = ''): string {
  return node.replace(/^\[(.*)\](?::\w+)?$|^([^:]+):\w+$/, '$1$2');
}
