// Encrypts secrets with AES-256-GCM; the text form names its version and key, so that keys can be replaced one day.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFileDurably } from './durable-file.ts';
import { sha256 } from './hash.ts';
import { pooledRandomBytes } from './random-pool.ts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY = /^[0-9a-f]{64}$/;
const WELL_FORMED = /^v1:[0-9a-f]{8}:[A-Za-z0-9+/]+={0,2}$/;

export class Cipher {
  readonly #key: Buffer;
  readonly #digestKey: Buffer;
  readonly #keyId: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.#keyId = sha256(key.toString('hex')).slice(0, 8);
    this.#digestKey = Buffer.from(hkdfSync('sha256', key, '', 'digest of plain text', 32));
  }

  encrypt(plain: string): string {
    const iv = pooledRandomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}:${this.#keyId}:${sealed.toString('base64')}`;
  }

  /** The plain text, or undefined when the text was not made by this key or has been touched. */
  decrypt(text: string): string | undefined {
    if (!WELL_FORMED.test(text)) return undefined;
    const [, keyId, body] = text.split(':') as [string, string, string];
    const sealed = Buffer.from(body, 'base64');
    if (keyId !== this.#keyId || sealed.length < IV_BYTES + TAG_BYTES || sealed.toString('base64') !== body) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    try {
      return decipher.update(sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined; // the authentication tag does not fit: a tampered text, which callers report beside its field
    }
  }

  /** Whether it is a cipher text, but one that another key has made. */
  isOfOtherKey(text: string): boolean {
    return WELL_FORMED.test(text) && !text.startsWith(`${VERSION}:${this.#keyId}:`);
  }

  /** Equal for equal plain texts, and of no use without the key. */
  digest(plain: string): string {
    return createHmac('sha256', this.#digestKey).update(plain).digest('base64url');
  }
}

export function openCipher(keyFile: string): Cipher {
  if (!existsSync(keyFile)) writeFileDurably(keyFile, `${randomBytes(32).toString('hex')}\n`, 0o600);
  const cipher = cipherOf(readFileSync(keyFile, 'utf8'));
  if (!cipher) throw new Error(`${keyFile} is not a key of 64 hexadecimal characters. Put the right key file back.`);
  return cipher;
}

/** From the content of a key file; undefined: it is none. */
export function cipherOf(content: string): Cipher | undefined {
  const digits = content.trim();
  return KEY.test(digits) ? new Cipher(Buffer.from(digits, 'hex')) : undefined;
}
