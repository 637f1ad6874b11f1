// The digest of the identity of a material.
import { sha256 } from '../../kit/bytes/hash.ts';
import type { IdentityPair } from './repository-definition.ts';

export function digestOf(pairs: readonly IdentityPair[]): string {
  return sha256(pairs.map(([key, value]) => `${key}=${value}`).join('<|>'));
}
