// The folders of this machine in which all users who may name a repository may name one, and whether a path lies in them.
import { realpathSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';

/** Whether a resolved path lies in one of the folders. */
export function isInFolders(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(path, realPath(folder)));
}

/** Whether a path as it is written lies in one of the folders, wherever its links lead. */
export function isWrittenInFolders(path: string, folders: readonly string[]): boolean {
  return isAbsolute(path) && folders.some((folder) => isBelow(resolve(path), folder) || isBelow(resolve(path), realPath(folder)));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder); // it is not there yet
  }
}
