// Removes files that earlier builds left in a folder, but not those of other materials in it.
import { lstat, readdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** Everything in it. */
export async function emptyFolder(folder: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) await removeBelow(folder, name, kept);
}

/** Removes the file or folder at a path below the folder. Of a link only the link goes, not its target. */
export async function removeBelow(folder: string, path: string, kept: readonly string[]): Promise<void> {
  const isOutside = isAbsolute(path) || path.split('/').some((name) => name === '..' || name === '');
  if (isOutside || kept.some((one) => one === path || path.startsWith(`${one}/`))) return;
  const holdsKept = kept.some((one) => one.startsWith(`${path}/`)) && !(await lstat(join(folder, path))).isSymbolicLink();
  if (!holdsKept) await rm(join(folder, path), { recursive: true, force: true, maxRetries: 2 });
  else for (const name of await readdir(join(folder, path))) await removeBelow(folder, `${path}/${name}`, kept);
}
