// HMAC-SHA-256 (RFC 2104) of short texts with one key. An Hmac object of Node takes longer to make than both hashes together.
import { createHmac, hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** UTF-8 has up to three bytes for each unit of a text. */
const MAX_LENGTH = 1024;

export class ShortHmac {
  readonly #key: Buffer;
  /** The padded key, and after it the text. */
  readonly #inner = Buffer.alloc(BLOCK_BYTES + 3 * MAX_LENGTH, INNER_PAD);
  /** The padded key, and after it the hash of the above. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, OUTER_PAD);

  /** Of at most a block. */
  constructor(key: Buffer) {
    if (key.length > BLOCK_BYTES) throw new Error('A key of HMAC that is longer than a block has to be hashed first.');
    this.#key = key;
    for (const [at, byte] of key.entries()) {
      this.#inner[at] = byte ^ INNER_PAD;
      this.#outer[at] = byte ^ OUTER_PAD;
    }
  }

  digest(text: string): string {
    if (text.length > MAX_LENGTH) return createHmac('sha256', this.#key).update(text).digest('base64url');
    const end = BLOCK_BYTES + this.#inner.write(text, BLOCK_BYTES);
    this.#outer.set(hash('sha256', this.#inner.subarray(0, end), 'buffer'), BLOCK_BYTES);
    // The text may be a secret.
    this.#inner.fill(0, BLOCK_BYTES, end);
    return hash('sha256', this.#outer, 'base64url');
  }
}
