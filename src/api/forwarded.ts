// What proxies write of the request they got: a list, in which each puts what it saw behind what those before it saw.
import type { IncomingHttpHeaders } from 'node:http';

export interface Forwarded {
  /** The address that the proxy next to us saw: whoever it was cannot have written that. */
  readonly client: string | undefined;
  /** The rest is what the proxy next to the client saw, or what the client wrote. */
  readonly proto: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
}

type Entry = Readonly<Partial<Record<string, string>>>;

const USUAL = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port'];
/** A comma between two proxies, or a pair of one, whose value may be quoted. */
const PART = /,|([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*))/g;

/** A proxy that writes `X-Forwarded-…` passes on the `Forwarded` of anybody: that counts only where there is nothing else. */
export function forwardedIn(headers: IncomingHttpHeaders): Forwarded {
  const { forwarded } = headers;
  if (forwarded === undefined || USUAL.some((name) => headers[name] !== undefined)) {
    return {
      client: addressIn(listed(headers['x-forwarded-for']).at(-1)),
      proto: listed(headers['x-forwarded-proto'])[0],
      host: listed(headers['x-forwarded-host'])[0],
      port: listed(headers['x-forwarded-port'])[0],
    };
  }
  const entries = entriesOf(forwarded);
  return { client: addressIn(entries.at(-1)?.for), proto: entries[0]?.proto, host: entries[0]?.host, port: undefined };
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
function addressIn(node: string | undefined): string | undefined {
  return node?.replace(/^\[(.*)\](?::\w+)?$|^([^:]+):\w+$/, '$1$2');
}
