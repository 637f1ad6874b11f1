// How long a file is, and its digest.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { piecesOf } from '../../kit/bytes/stream-file.ts';
import type { FileFacts } from './storage.ts';

/** Reads it from front to end in pieces, and closes it. */
export async function digestOf(handle: FileHandle): Promise<FileFacts> {
  try {
    const { size } = await handle.stat();
    const hash = createHash('sha256');
    for await (const piece of piecesOf(handle, 0, size)) hash.update(piece);
    return { bytes: size, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}
