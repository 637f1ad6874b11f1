// Cipher texts as GoCD makes them.
import { createCipheriv, randomBytes } from 'node:crypto';

/** Another text each time, as there. */
export function referenceCipherText(plain: string, key: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), iv);
  return `AES:${iv.toString('base64')}:${cipher.update(plain, 'utf8', 'base64')}${cipher.final('base64')}`;
}
