// The signature (version 4) of a request to AWS, computed once more from the request as it has arrived.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** `secretOf` gives the secret of an account by its key; undefined: there is no such account. */
export function isSigned(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  service: string,
  secretOf: (key: string) => string | undefined,
): boolean {
  const [, key, date, region, name, names, signature] =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const secret = secretOf(key ?? '');
  if (!date || !region || !names || secret === undefined || name !== service) return false;
  if (headers['x-amz-content-sha256'] !== digest(body)) return false;
  const { pathname, searchParams } = new URL(url!, 'http://localhost');
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted();
  const listed = names.split(';').map((one) => `${one}:${String(headers[one as keyof IncomingHttpHeaders]).trim()}\n`);
  const canonical = [method, pathname, query.join('&'), listed.join(''), names, digest(body)].join('\n');
  return signatureOf({ date, region, service, secret, moment: String(headers['x-amz-date']) }, canonical) === signature;
}

export interface SigningScope {
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly secret: string;
  readonly moment: string;
}

export function signatureOf({ date, region, service, secret, moment }: SigningScope, canonical: string): string {
  const scope = `${date}/${region}/${service}/aws4_request`;
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>((one, word) => hmac(one, word), Buffer.from(`AWS4${secret}`));
  return hmac(key, ['AWS4-HMAC-SHA256', moment, scope, digest(canonical)].join('\n')).toString('hex');
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
