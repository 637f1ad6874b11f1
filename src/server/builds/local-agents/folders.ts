// The folders of local agents, below the data directory: their owners, and the users that may pass through.
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';

const CLOSED = 0o700;
/** Other users pass through, and see nothing. */
const TRAVERSABLE = 0o711;
const ALL_BITS = 0o7777;

export function agentsFolder(dataDir: string): string {
  return join(dataDir, 'agents');
}

export function workDirOf(dataDir: string, number: number): string {
  return join(agentsFolder(dataDir), `local-${number}`);
}

/** `account`: the user that has to pass through; undefined: only the server uses the folders. */
export function allowTraversal(dataDir: string, account: Account | undefined): void {
  if (process.platform === 'win32') return void mkdirSync(agentsFolder(dataDir), { recursive: true });
  if (!account) forbidTraversal(dataDir);
  mkdirSync(agentsFolder(dataDir), { recursive: true, mode: CLOSED });
  chmodSync(agentsFolder(dataDir), account ? TRAVERSABLE : CLOSED);
  if (account) chmodSync(dataDir, TRAVERSABLE);
}

/** Closes the folders that an earlier start has opened. A directory with another mode is as its owner wants it. */
export function forbidTraversal(dataDir: string): void {
  if (process.platform === 'win32') return;
  for (const folder of [dataDir, agentsFolder(dataDir)])
    if (existsSync(folder) && (lstatSync(folder).mode & ALL_BITS) === TRAVERSABLE) chmodSync(folder, CLOSED);
}

/** One that belonged to another user begins anew: nothing in it could be used. */
export async function prepareWorkDir(path: string, account: Account | undefined): Promise<void> {
  const uid = account?.uid ?? process.getuid?.();
  const found = await lstat(path).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined;
    throw failure;
  });
  if (found && (!found.isDirectory() || (uid !== undefined && found.uid !== uid))) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: CLOSED });
  if (account) await chown(path, account.uid, account.gid);
  if (process.platform !== 'win32') await chmod(path, CLOSED);
}
