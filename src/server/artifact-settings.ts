// The settings that say where artifacts lie.
import { type BucketAddress, readBucketAddress } from '../artifacts/storage/bucket/address.ts';
import { BadSetting, flag } from './setting-values.ts';

export interface ArtifactBucketSettings {
  readonly address: BucketAddress;
  /** From this size on, people get files from the bucket itself; undefined: never. */
  readonly linkedFrom: number | undefined;
}

/** Below that, a second request takes longer than the bytes. */
const LINKED_FROM_BYTES = 16 * 1024 * 1024;

export const ARTIFACT_SETTINGS = [
  { flag: 'artifacts-bucket', defaultValue: '', about: 's3://bucket/prefix: artifacts lie in a bucket; unset: in a folder' },
  { flag: 'artifacts-endpoint', defaultValue: '', about: 'where the store of that bucket answers; unset: AWS_ENDPOINT_URL, or AWS itself' },
  { flag: 'artifacts-region', defaultValue: '', about: 'region of that bucket; unset: AWS_REGION, or us-east-1' },
  { flag: 'artifacts-presigned', defaultValue: 'false', about: 'true: large files are downloaded from the bucket itself, by links' },
] as const;

/** Undefined: they lie in a folder. */
export function artifactBucketIn(
  text: (flag: string) => string,
  environment: Readonly<Record<string, string | undefined>>,
): ArtifactBucketSettings | undefined {
  const isLinked = flag('artifacts-presigned', text('artifacts-presigned'));
  const written = text('artifacts-bucket');
  const alone =
    ['artifacts-endpoint', 'artifacts-region'].find((name) => text(name) !== '') ?? (isLinked ? 'artifacts-presigned' : undefined);
  if (written === '' && alone !== undefined) throw new BadSetting(`--${alone} is about a bucket: give --artifacts-bucket, too.`);
  if (written === '') return undefined;
  const read = readBucketAddress(written, { endpoint: text('artifacts-endpoint'), region: text('artifacts-region') }, environment);
  if ('problem' in read) throw new BadSetting(`--artifacts-bucket ${read.problem}.`);
  return { address: read.address, linkedFrom: isLinked ? LINKED_FROM_BYTES : undefined };
}
