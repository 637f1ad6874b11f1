// Keyed hashes of credentials, so that nothing in memory can be replayed.
import { randomBytes } from 'node:crypto';
import { keyedDigest } from '../../kit/bytes/hash.ts';

/**
 * The address is part of the key: an attacker who guesses elsewhere must not learn, from a remembered answer, that a guess is right.
 * Remembers the last header of each connection: clients send the same one with every request. Comparing a header with an
 * earlier one of the same connection reveals nothing new to its sender, so it need not take constant time.
 */
export function keysByConnection(): (header: string, address: string, connection: object) => string {
  const secret = randomBytes(32);
  const last = new WeakMap<object, { readonly header: string; readonly address: string; readonly key: string }>();
  return (header, address, connection) => {
    const known = last.get(connection);
    if (known?.header === header && known.address === address) return known.key;
    const key = keyedDigest(secret, `${address} ${header}`);
    last.set(connection, { header, address, key });
    return key;
  };
}
