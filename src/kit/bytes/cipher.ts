// Encrypts secrets with AES-256-GCM; the text form names its version and key, so that keys can be replaced one day.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFileDurably } from './durable-file.ts';
import { sha256 } from './hash.ts';
import { pooledRandomBytes } from './random-pool.ts';
import { ShortHmac } from './short-hmac.ts';

/** Opens wherever it is read. */
const PORTABLE = 'v1';
/** Opens only where its binding matches. */
const BOUND = 'v2';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HASH_BYTES = 16;
const KEY = /^[0-9a-f]{64}$/;
const WELL_FORMED = /^(v[12]):([0-9a-f]{8}):([A-Za-z0-9+/]+={0,2})$/;

/** The scope and the destination that a text is bound to, each as a `bindingHash` or ANY_VALUE. */
export interface Binding {
  readonly scope: string;
  readonly destination: string;
}

export interface OpenedText {
  readonly plain: string;
  /** The plain text as a portable text of the same key; absent: the text was made in another way. */
  readonly portable?: string;
  /** Absent: the text is portable itself. */
  readonly binding?: Binding;
}

/** Stands for no restriction. */
export const ANY_VALUE = '0'.repeat(2 * HASH_BYTES);

export function bindingHash(text: string): string {
  return sha256(text).slice(0, 2 * HASH_BYTES);
}

export class Cipher {
  readonly #key: KeyObject;
  readonly #boundKey: KeyObject;
  readonly #ivKey: Buffer;
  readonly #digests: ShortHmac;
  readonly #signatureKey: KeyObject;
  readonly #addressKey: KeyObject;
  readonly #loginKey: KeyObject;
  readonly #draftKey: KeyObject;
  readonly #keyId: string;

  constructor(key: Buffer) {
    const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, 32));
    this.#key = createSecretKey(key);
    this.#keyId = sha256(key.toString('hex')).slice(0, 8);
    this.#digests = new ShortHmac(derived('digest of plain text'));
    this.#signatureKey = createSecretKey(derived('signature between servers'));
    this.#addressKey = createSecretKey(derived('signature of addresses'));
    this.#loginKey = createSecretKey(derived('logins on the web'));
    this.#draftKey = createSecretKey(derived('drafts of users'));
    this.#boundKey = createSecretKey(derived('bound text'));
    this.#ivKey = derived('initialization vector of bound text');
  }

  encrypt(plain: string): string {
    return this.#text(PORTABLE, sealed(this.#key, pooledRandomBytes(IV_BYTES), Buffer.from(plain)));
  }

  /**
   * Seals a portable text together with its binding; always the same for the same input, so that answers can be compared and cached.
   * Undefined: it is no portable text of this key.
   */
  bind(text: string, { scope, destination }: Binding): string | undefined {
    const [, version, keyId, body = ''] = WELL_FORMED.exec(text) ?? [];
    if (version !== PORTABLE || keyId !== this.#keyId) return undefined;
    const content = Buffer.concat([Buffer.from(scope + destination, 'hex'), Buffer.from(body, 'base64')]);
    return this.#text(BOUND, sealed(this.#boundKey, this.#ivOf(content), content));
  }

  /** An initialization vector must not be used for two contents, so it depends on all of the content. */
  #ivOf(content: Buffer): Buffer {
    const inner = sha256(Buffer.concat([this.#ivKey, content]));
    return Buffer.from(sha256(this.#ivKey.toString('hex') + inner).slice(0, 2 * IV_BYTES), 'hex');
  }

  /** The plain text of a portable text; undefined when it was not made by this key, has been touched, or is bound. */
  decrypt(text: string): string | undefined {
    const opened = this.open(text);
    return opened?.binding ? undefined : opened?.plain;
  }

  /** The caller must compare the binding of a bound text with where it was read. Undefined: made by another key, or altered. */
  open(text: string): OpenedText | undefined {
    const [, version, keyId, body = ''] = WELL_FORMED.exec(text) ?? [];
    if (keyId !== this.#keyId) return undefined;
    const bytes = bytesOf(body);
    if (version === PORTABLE) return this.#opened(bytes, text);
    const content = unsealed(this.#boundKey, bytes);
    const inner = content?.subarray(2 * HASH_BYTES);
    const opened = this.#opened(inner, inner && this.#text(PORTABLE, inner));
    if (!content || !opened) return undefined;
    const scope = content.toString('hex', 0, HASH_BYTES);
    const destination = content.toString('hex', HASH_BYTES, 2 * HASH_BYTES);
    return { ...opened, binding: { scope, destination } };
  }

  #opened(bytes: Buffer | undefined, portable: string | undefined): OpenedText | undefined {
    const plain = unsealed(this.#key, bytes)?.toString();
    return plain === undefined || portable === undefined ? undefined : { plain, portable };
  }

  #text(version: string, bytes: Buffer): string {
    return `${version}:${this.#keyId}:${bytes.toString('base64')}`;
  }

  /** Whether this key has made the text, as far as can be seen from outside. */
  isOwn(text: string): boolean {
    return WELL_FORMED.exec(text)?.[2] === this.#keyId;
  }

  /** Whether it is a cipher text, but one that another key has made. */
  isOfOtherKey(text: string): boolean {
    return WELL_FORMED.test(text) && !this.isOwn(text);
  }

  /** Equal for equal plain texts, and of no use without the key. */
  digest(plain: string): string {
    return this.#digests.digest(plain);
  }

  /**
   * For the data that a login on the web leaves with the browser and in the table of sessions. Such texts can stand for no secret,
   * and secrets for none of them.
   */
  sealLogin(plain: string): string {
    return sealed(this.#loginKey, pooledRandomBytes(IV_BYTES), Buffer.from(plain)).toString('base64url');
  }

  /** Undefined when it was not made by this key or has been touched. */
  openLogin(text: string): string | undefined {
    return unsealed(this.#loginKey, Buffer.from(text, 'base64url'))?.toString();
  }

  /** For the drafts that pages leave with the browser. Such texts can stand for no secret, and secrets for none of them. */
  sealDraft(plain: string): string {
    return sealed(this.#draftKey, pooledRandomBytes(IV_BYTES), Buffer.from(plain)).toString('base64url');
  }

  /** Undefined when it was not made by this key or has been touched. */
  openDraft(text: string): string | undefined {
    return unsealed(this.#draftKey, Buffer.from(text, 'base64url'))?.toString();
  }

  /** A signature that only servers with the same key can make. */
  sign(text: string): string {
    return createHmac('sha256', this.#signatureKey).update(text).digest('base64url');
  }

  /** For addresses that are given to clients. It has a key of its own, so none of them can stand for the word of a server. */
  signAddress(text: string): string {
    return createHmac('sha256', this.#addressKey).update(text).digest('base64url');
  }
}

function sealed(key: KeyObject, iv: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined: the same bytes are written in another way. */
function bytesOf(body: string): Buffer | undefined {
  const bytes = Buffer.from(body, 'base64');
  return bytes.toString('base64') === body ? bytes : undefined;
}

function unsealed(key: KeyObject, bytes: Buffer | undefined): Buffer | undefined {
  if (!bytes || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // the authentication tag does not fit: a tampered text, which callers report beside its field
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
