// The leftovers of backups that were cut off, in the folder of all backups.
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeftover } from './folder-name.ts';

export async function removeLeftovers(folder: string): Promise<void> {
  if (!isFolder(folder)) return;
  for (const name of readdirSync(folder)) if (isLeftover(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** A file in its place is reported when a backup is made. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
