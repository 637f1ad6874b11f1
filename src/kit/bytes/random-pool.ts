// Random bytes out of a block that is filled at once: asking the system for a few bytes at a time costs more than encrypting with them.
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** For initialization vectors and the like, not for keys: they stay in memory until the block is filled again. At most 4096. */
export function pooledRandomBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  return Buffer.from(pool.subarray(used, (used += count)));
}
