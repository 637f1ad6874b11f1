// Whether the client has a copy of the file already. GoCD's agents send its SHA-1, which is not kept: the file is read for it.
import { createHash } from 'node:crypto';
import type { ApiRequest } from '../../engine/route.ts';

/** In base64. A plus sign that was sent as it is comes as a blank. */
const SHA_1 = /^[A-Za-z0-9+/ ]{27}=$/;

export async function isKnownCopy(
  { query }: Pick<ApiRequest, 'query'>,
  read: () => Promise<AsyncIterable<Buffer> | undefined>,
): Promise<boolean> {
  const sent = query.get('sha1') ?? '';
  const content = SHA_1.test(sent) ? await read() : undefined;
  if (!content) return false;
  const hash = createHash('sha1');
  for await (const piece of content) hash.update(piece);
  return hash.digest('base64') === sent.replaceAll(' ', '+');
}
