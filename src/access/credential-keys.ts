// Keyed hashes of credentials, so that nothing in memory can be replayed.
import { randomBytes } from 'node:crypto';
import { keyedDigest } from '../kit/hash.ts';

/**
 * Remembers the last header of each connection: clients send the same one with every request. Comparing a header with an
 * earlier one of the same connection tells its sender nothing new, so it need not take constant time.
 */
export function keysByConnection(): (header: string, connection: object) => string {
  const secret = randomBytes(32);
  const last = new WeakMap<object, { readonly header: string; readonly key: string }>();
  return (header, connection) => {
    const known = last.get(connection);
    if (known?.header === header) return known.key;
    const key = keyedDigest(secret, header);
    last.set(connection, { header, key });
    return key;
  };
}
