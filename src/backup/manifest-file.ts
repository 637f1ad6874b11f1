// The manifest in the folder of a backup, as it was written: for administrators who keep it elsewhere, to check the folder by it one day.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST } from './manifest.ts';
import type { BackupRecord } from './record.ts';

/** undefined: there is no complete folder, or none any more. */
export async function manifestOf({ status, path, removedAt }: BackupRecord): Promise<string | undefined> {
  if (status === 'IN_PROGRESS' || path === '' || removedAt !== null) return undefined;
  return readFile(join(path, MANIFEST), 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined;
    throw failure;
  });
}
