// Files that are published together: as many as one publication takes.
import { statSync } from 'node:fs';
import { MAX_ARCHIVED_BYTES, MAX_ARTIFACTS_AT_ONCE } from '../../../contracts/agent-protocol/messages.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { unreadable } from '../context.ts';
import type { EmptyFolder, FoundFile } from '../files/walk.ts';

/** Maximum size of the small files that are sent again after a cut. */
const MAX_SMALL_BYTES = 64 * 1024 * 1024;
/** Names can be long, and each publication is one message. */
const MAX_NAME_BYTES = 2 * 1024 * 1024;

export interface SizedFile extends FoundFile {
  readonly bytes: number;
}

export interface Batch {
  readonly files: readonly SizedFile[];
  readonly folders: readonly string[];
}

export async function* batchesOf(found: AsyncIterable<FoundFile | EmptyFolder>): AsyncGenerator<Batch> {
  let [files, folders, smallBytes, nameBytes]: [SizedFile[], string[], number, number] = [[], [], 0, 0];
  for await (const one of found) {
    if (one.kind === 'folder') folders.push(one.path);
    else {
      const file = sized(one);
      files.push(file);
      if (isSmall(file)) smallBytes += file.bytes;
    }
    nameBytes += Buffer.byteLength(one.path);
    if (files.length + folders.length >= MAX_ARTIFACTS_AT_ONCE || smallBytes >= MAX_SMALL_BYTES || nameBytes >= MAX_NAME_BYTES) {
      yield { files, folders };
      [files, folders, smallBytes, nameBytes] = [[], [], 0, 0];
    }
    await pause();
  }
  if (files.length + folders.length > 0) yield { files, folders };
}

export function isSmall({ bytes }: SizedFile): boolean {
  return bytes <= MAX_ARCHIVED_BYTES;
}

function sized(file: FoundFile): SizedFile {
  try {
    return { ...file, bytes: statSync(file.real).size };
  } catch (failure) {
    throw unreadable(file.name, failure);
  }
}
