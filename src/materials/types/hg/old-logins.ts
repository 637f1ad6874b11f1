// Earlier versions lent hg a login as a file; one that was ended in the middle has left it behind, in clear.
import type { Dirent } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const OLD_LOGIN = /^hgrc-[0-9a-f-]{36}$/;

/** `directory` holds one for each material. */
export async function removeOldLogins(directory: string): Promise<void> {
  for (const material of await entriesIn(directory)) {
    const folder = join(directory, material.name);
    const names = material.isDirectory() ? (await entriesIn(folder)).map(({ name }) => name) : [];
    for (const name of names) if (OLD_LOGIN.test(name)) await rm(join(folder, name), { force: true });
  }
}

async function entriesIn(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return []; // not there yet, or not any more
    throw failure;
  }
}
