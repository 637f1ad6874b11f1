// The keys of other servers whose files were imported: secrets encrypted by those servers can be read from then on, in any request.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cipher, cipherOf } from '../../kit/bytes/cipher.ts';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { KEY_RULE, type OpenSecret, readImportedKey } from './imported-cipher.ts';

/** Lies beside the server's own key and is kept like that: a key in each line. */
export const IMPORTED_KEYS_FILE = 'imported.keys';
const OWNER_ONLY = 0o600;

export class ImportedKeys {
  readonly #path: string;
  readonly #own: Cipher;
  #keys: Map<string, OpenSecret>;
  readonly #listeners: (() => void)[] = [];

  constructor(dataDir: string, own: Cipher) {
    this.#path = join(dataDir, IMPORTED_KEYS_FILE);
    this.#own = own;
    this.#keys = this.#read();
  }

  /** Reads the file, which another server may have changed. */
  reload(): void {
    const { size } = this.#keys;
    this.#keys = this.#read();
    if (this.#keys.size > size) for (const listener of this.#listeners) listener();
  }

  /** Tries all imported keys. */
  readonly open: OpenSecret = (cipherText) => {
    for (const open of this.#keys.values()) {
      const opened = open(cipherText);
      if (opened) return opened;
    }
    return undefined;
  };

  /** Adds the key in the content of a key file, unless it is known already, or is no key. */
  keep(content: string): void {
    const key = normalizedKey(content);
    const open = readImportedKey(key);
    if (!open || this.#keys.has(key) || this.#isOwn(key)) return;
    writeFileDurably(this.#path, [...this.#keys.keys(), key, ''].join('\n'), OWNER_ONLY);
    this.#keys.set(key, open);
    for (const listener of this.#listeners) listener();
  }

  /** Subscribes to keys that become known. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #read(): Map<string, OpenSecret> {
    return existsSync(this.#path) ? keysIn(readFileSync(this.#path, 'latin1'), this.#path) : new Map();
  }

  #isOwn(key: string): boolean {
    const cipher = cipherOf(key);
    return cipher !== undefined && this.#own.decrypt(cipher.encrypt('')) !== undefined;
  }
}

function keysIn(content: string, path: string): Map<string, OpenSecret> {
  const keys = new Map<string, OpenSecret>();
  for (const [index, line] of content.split('\n').entries()) {
    const key = normalizedKey(line);
    const open = readImportedKey(key);
    if (key !== '' && !open) throw new Error(`Line ${index + 1} of ${path} is no key. ${KEY_RULE} Correct the line, or remove it.`);
    if (open) keys.set(key, open);
  }
  return keys;
}

/** The key without blanks around it, in lower case. */
function normalizedKey(key: string): string {
  return key.trim().toLowerCase();
}
