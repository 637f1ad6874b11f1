// The bucket that backups are copied to.
import { guardedConnection } from '../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../kit/network/reach.ts';
import { S3Client, type StoreAddress, withoutLastSlashes } from '../../kit/s3/client.ts';

export interface Bucket extends StoreAddress {
  readonly prefix: string;
}

/** Only system administrators name the store, so it may be on this machine. Nothing is sent to a forbidden address. */
export function bucketClient(bucket: Bucket): S3Client {
  return new S3Client(bucket, { connection: (host) => guardedConnection(host, TRUSTED) });
}

/** How people write the address of a folder in it. */
export function addressIn({ name, prefix }: Bucket, folder: string): string {
  return `s3://${name}/${keyOf(prefix, folder)}`;
}

export function keyOf(prefix: string, name: string): string {
  const folder = withoutLastSlashes(prefix.replace(/^\/+/, ''));
  return folder === '' ? name : `${folder}/${name}`;
}
