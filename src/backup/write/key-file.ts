// Reads the key file that the settings of the server name: a backup without the key could not be used.
import { readFileSync, statSync } from 'node:fs';
import { cipherOf } from '../../kit/bytes/cipher.ts';

/** A key has 64 characters. */
const MAX_BYTES = 4096;

export function readKeyFile(path: string): Buffer {
  const content = contentOf(path);
  if (!content || !cipherOf(content.toString('latin1')))
    throw new Error(`The key file ${path} is not a key of 64 hexadecimal characters. Put the right key file back.`);
  return content;
}

/** Undefined: it cannot be a key. */
function contentOf(path: string): Buffer | undefined {
  try {
    const found = statSync(path); // follows links: mounted secrets are links
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path) : undefined;
  } catch (failure) {
    throw new Error(`The key file ${path} cannot be read, and a backup without the key could not be used: ${(failure as Error).message}`, {
      cause: failure,
    });
  }
}
