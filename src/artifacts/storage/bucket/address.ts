// Where artifacts lie that are in a bucket, as administrators write it.
import { type StoreAddress, withoutLastSlashes } from '../../../kit/s3/client.ts';

export interface BucketAddress extends StoreAddress {
  /** In front of all keys; empty, or without slashes around it. */
  readonly prefix: string;
}

/** Options beside the address; absent: taken from the usual variables of the environment. */
export interface BucketOptions {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s;
const PREFIX = /^[\w.~-]+(?:\/[\w.~-]+)*$/;
/** With it, and the names of a job before it, there is still room for a name in the 1024 bytes of a key. */
const MAX_PREFIX = 100;
const DEFAULT_REGION = 'us-east-1';

/** Or a sentence with the problem of the address. */
export function readBucketAddress(
  written: string,
  options: BucketOptions,
  environment: Environment,
): { readonly address: BucketAddress } | { readonly problem: string } {
  const [, name, path = ''] = ADDRESS.exec(written) ?? [];
  const prefix = withoutLastSlashes(path);
  if (name === undefined) return { problem: `must look like s3://bucket or s3://bucket/prefix, not '${written}'` };
  if (prefix !== '' && !isPrefix(prefix))
    return { problem: `has a prefix of up to ${MAX_PREFIX} letters, digits, dots and dashes, with slashes between, not '${prefix}'` };
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = environment;
  if (!accessKeyId || !secretAccessKey) return { problem: 'needs an account: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY' };
  const region = options.region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || DEFAULT_REGION;
  if (!/^[\w-]+$/.test(region)) return { problem: `has a region such as eu-central-1, not '${region}'` };
  const given = options.endpoint || environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL;
  const endpoint = given ? endpointIn(given) : `https://s3.${region}.amazonaws.com`;
  if (endpoint === undefined) return { problem: 'needs an endpoint that looks like https://s3.example.com, without a name or password' };
  return { address: { endpoint, name, prefix, region, accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
}

/** How people write it. */
export function describeBucket({ name, prefix }: Pick<BucketAddress, 'name' | 'prefix'>): string {
  return prefix === '' ? `s3://${name}` : `s3://${name}/${prefix}`;
}

function isPrefix(prefix: string): boolean {
  return PREFIX.test(prefix) && prefix.length <= MAX_PREFIX && !prefix.split('/').some((step) => step === '.' || step === '..');
}

function endpointIn(written: string): string | undefined {
  const url = URL.parse(written);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  return isPlain ? withoutLastSlashes(url.href) : undefined;
}
