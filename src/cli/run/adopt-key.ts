// The key of a data directory that a file is imported into: into an empty one the key of the Slipway that wrote the file can come along.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Cipher, cipherOf, openCipher } from '../../kit/bytes/cipher.ts';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';

const OWNER_ONLY = 0o600;

export interface KeyForImport {
  readonly cipher: Cipher;
  readonly isAdopted: boolean;
  /** Puts things back where nothing was imported in the end. */
  undo(): void;
}

interface KeyFile {
  readonly path: string;
  /** Nothing was ever stored there, so nothing was encrypted with the key that is there. */
  readonly isEmpty: boolean;
  readonly isPlan: boolean;
}

/** With the same key its cipher texts stay as they are, so that a file written later is the same, byte for byte. */
export function keyForImport({ path, isEmpty, isPlan }: KeyFile, given: string | undefined): KeyForImport {
  const adopted = isEmpty && given !== undefined ? cipherOf(given) : undefined;
  if (!adopted) return { cipher: openCipher(path), isAdopted: false, undo: () => {} };
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  // On disk before anything that is encrypted with it.
  if (!isPlan) writeFileDurably(path, `${given!.trim()}\n`, OWNER_ONLY);
  const undo = () => {
    if (isPlan) return;
    if (before === undefined) rmSync(path, { force: true });
    else writeFileDurably(path, before, OWNER_ONLY);
  };
  return { cipher: adopted, isAdopted: true, undo };
}
