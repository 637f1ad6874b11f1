// Signs requests to services that authenticate clients by AWS Signature Version 4.
import { AwsClient } from 'aws4fetch';
import { sha256 } from '../bytes/hash.ts';

export interface Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of an account that is lent for a while. */
  readonly sessionToken?: string;
}

export interface SignedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** With the digest of the content under the signature, nothing is taken that was damaged on its way. */
export function signerFor(account: Account, region: string, service: string): (request: UnsignedRequest) => Promise<SignedRequest> {
  const client = new AwsClient({ ...account, region, service });
  return async ({ method, url, headers, content }) => {
    const signed = await client.sign(url, { method, headers: { ...headers, 'x-amz-content-sha256': sha256(content) } });
    return { url: new URL(signed.url), headers: Object.fromEntries(signed.headers) };
  };
}

export interface LinkOptions {
  /** How long the link works. */
  readonly seconds: number;
  /** The headers Content-Type and Content-Disposition of the answer. */
  readonly type: string;
  readonly disposition: string;
}

/** Makes addresses with a signature in them. */
export function linkerFor(account: Account, region: string): (url: string, options: LinkOptions) => Promise<string> {
  const client = new AwsClient({ ...account, region, service: 's3' });
  return async (url, { seconds, type, disposition }) => {
    const link = new URL(url);
    link.searchParams.set('X-Amz-Expires', String(seconds));
    link.searchParams.set('response-content-type', type);
    link.searchParams.set('response-content-disposition', disposition);
    const signed = await client.sign(link.href, { method: 'GET', aws: { signQuery: true } });
    // Some stores do not take a plus for a blank.
    return signed.url.replaceAll('+', '%20');
  };
}
