// Asks the operating system how much room there is.
import { statfs } from 'node:fs/promises';

/** Bytes that this process may still write below a folder; undefined when there is no such folder. */
export async function freeSpace(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
