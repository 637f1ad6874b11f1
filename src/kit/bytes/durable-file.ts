// Writes a whole file so that after a crash there is either the old one or the new one.
import { closeSync, existsSync, fchmodSync, fchownSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeFileDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w', mode);
  fchmodSync(file, mode); // one that a crash left behind keeps its own mode
  keepOwner(file, path);
  writeFileSync(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

/** A file that root writes into the folder of another user gets that owner: otherwise a server not running as root could not read it. */
function keepOwner(file: number, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path));
  fchownSync(file, uid, gid);
}

export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open a directory, and its renames are journalled
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
