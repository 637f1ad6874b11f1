// Whether a webhook call comes from a sender that knows the secret; compared in constant time.
import { createHmac } from 'node:crypto';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';

/** `signature` is written as `sha1=…`; any of the texts may be the signed one. */
export function isSigned(signature: string, algorithm: 'sha1' | 'sha256', secret: string, texts: readonly Uint8Array[]): boolean {
  return texts
    .map((text) => isEqualTimingSafe(signature, `${algorithm}=${createHmac(algorithm, secret).update(text).digest('hex')}`))
    .includes(true);
}
