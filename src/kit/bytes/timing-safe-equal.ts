// Whether two texts are the same, compared so that the time it takes reveals nothing about them.
import { hash, timingSafeEqual } from 'node:crypto';

export function isEqualTimingSafe(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
