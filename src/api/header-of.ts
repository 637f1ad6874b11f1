// One header of a request. Node makes an object of all of them when it is first asked for one; most requests need only a few.
import type { IncomingMessage } from 'node:http';

/** Of these Node takes the first, like everybody; of others sent twice, both. */
const SENT_ONCE = new Set(['authorization', 'host']);

/** `name` in lower case. */
export function headerOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length !== name.length || (sent !== name && sent.toLowerCase() !== name)) continue;
    const value = rawHeaders[at + 1]!;
    if (found === undefined) found = value;
    else if (!SENT_ONCE.has(name)) found = `${found}, ${value}`;
  }
  return found;
}
