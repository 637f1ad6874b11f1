// Writes a whole file so that after a crash there is either the old one or the new one.
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeFileDurably(path: string, content: string, mode: number): void {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w', mode);
  fchmodSync(file, mode); // one that a crash left behind keeps its own mode
  writeFileSync(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows cannot open a directory, and its renames are journalled
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
