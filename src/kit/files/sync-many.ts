// Brings many files or folders to the disk: few one by one, many with one call for the whole file system, which is many times as fast.
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inParallel } from '../concurrency/in-parallel.ts';

const run = promisify(execFile);
/** One by one takes about half a millisecond each, the program some milliseconds for any number. */
const FEW = 32;
const AT_A_TIME = 16;

/** Returns when they are on disk. `root`: a folder of the file system that all of them are on. */
export async function syncMany(root: string, paths: readonly string[], program = 'sync'): Promise<void> {
  if (paths.length > FEW && process.platform === 'linux' && (await syncFileSystem(root, program))) return;
  await inParallel(paths, AT_A_TIME, syncOne);
}

/** False: it cannot be done so. */
async function syncFileSystem(root: string, program: string): Promise<boolean> {
  try {
    await run(program, ['-f', root]);
    return true;
  } catch {
    // The program is missing, or has failed: when files are synced one by one, the caller learns which one fails.
    return false;
  }
}

async function syncOne(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder, and syncs a file only where it is written
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
