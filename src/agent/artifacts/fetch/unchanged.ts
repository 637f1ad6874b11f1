// Whether a file is there already as the server has it: then it is not fetched again.
import { createHash, hash } from 'node:crypto';
import { constants, lstatSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ArtifactFile, MAX_ARCHIVED_BYTES } from '../../../contracts/agent-protocol/messages.ts';

const PIECE_BYTES = 512 * 1024;

export async function isUnchanged(target: string, { bytes, sha256 }: ArtifactFile, signal: AbortSignal): Promise<boolean> {
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there?.isFile() !== true || there.size !== bytes) return false;
  if (bytes <= MAX_ARCHIVED_BYTES) return hash('sha256', readFileSync(target)) === sha256;
  const file = await open(target, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const whole = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes + 1));
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) break;
      whole.update(piece.subarray(0, bytesRead));
      at += bytesRead;
      signal.throwIfAborted();
    }
    return whole.digest('hex') === sha256;
  } finally {
    await file.close();
  }
}
