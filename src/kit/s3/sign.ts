// Signs requests to services that know who asks by signature version 4.
import { AwsClient } from 'aws4fetch';
import { sha256 } from '../bytes/hash.ts';

export interface Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of an account that is lent for a while. */
  readonly sessionToken?: string;
}

export interface Signed {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Unsigned {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** With the digest of the content under the signature, nothing is taken that was damaged on its way. */
export function signerFor(account: Account, region: string, service: string): (request: Unsigned) => Promise<Signed> {
  const client = new AwsClient({ ...account, region, service });
  return async ({ method, url, headers, content }) => {
    const signed = await client.sign(url, { method, headers: { ...headers, 'x-amz-content-sha256': sha256(content) } });
    return { url: new URL(signed.url), headers: Object.fromEntries(signed.headers) };
  };
}
