// Reads many small files at once, without a wait between them: for a thread that does nothing else.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** O_NOFOLLOW is absent on Windows. */
const { O_RDONLY, O_NOFOLLOW = 0 } = constants;

export interface FilesToRead {
  readonly root: string;
  /** Below the root, nothing on the way may be a link; with the length that each should have. */
  readonly files: readonly { readonly parts: readonly string[]; readonly length: number }[];
}

/** Of files that are read: the contents one after the other, and which of the files are gone or are others by now. */
export interface FilesRead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly missing: ReadonlySet<number>;
}

export function readFiles({ root, files }: FilesToRead): FilesRead {
  const bytes = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  const missing = new Set<number>();
  const folders = new Map<string, boolean>();
  let at = 0;
  for (const [index, { parts, length }] of files.entries()) {
    const exists = isFolder(root, parts.slice(0, -1), folders) && readInto(join(root, ...parts), bytes.subarray(at, at + length));
    if (!exists) missing.add(index);
    at += length;
  }
  return { bytes, missing };
}

/** `known`: folders that were looked at before. */
function isFolder(root: string, parts: readonly string[], known: Map<string, boolean>): boolean {
  if (parts.length === 0) return true;
  const path = join(root, ...parts);
  const before = known.get(path);
  if (before !== undefined) return before;
  const is = isFolder(root, parts.slice(0, -1), known) && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  known.set(path, is);
  return is;
}

/** False: there is no file of this length. */
function readInto(path: string, room: Uint8Array): boolean {
  // Opening something else than a file can take for ever.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = opened(path);
  if (file === undefined) return false;
  try {
    if (fstatSync(file).size !== room.length) return false;
    for (let at = 0; at < room.length; ) {
      const count = readSync(file, room, at, room.length - at, at);
      if (count === 0) return false;
      at += count;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw failure;
  }
}
