// The folders of this machine in which everybody may name repositories, and which paths lie in them.
import { realpathSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { placeOf } from '../types/hg/material.ts';
import { isLocal, openAddress } from './address.ts';
import { pathsIn } from './local-path.ts';
import { resolvePath } from './resolve-path.ts';

/** Whether a place, as a path really leads to it, lies in one of the folders. */
export function isInFolders(place: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(place, realPath(folder)));
}

/** Whether it does by its letters, wherever it really leads. */
export function isWrittenInFolders(path: string, folders: readonly string[]): boolean {
  return isAbsolute(path) && folders.some((folder) => isBelow(resolve(path), folder) || isBelow(resolve(path), realPath(folder)));
}

/** Whether everybody may name this address: it is none of this machine, or leads straight into one of the folders, whether anything is there or not. */
export function isOpenToAll(type: string, url: string, folders: readonly string[]): boolean {
  try {
    const address = openAddress(type === 'hg' ? placeOf({ url }).url : url).url;
    return !isLocal(address) || pathsIn(address).every((path) => leadsStraightIn(path, folders));
  } catch {
    return false; // what cannot be followed is refused like all the rest
  }
}

function leadsStraightIn(path: string, folders: readonly string[]): boolean {
  // Steps back could lead elsewhere tomorrow.
  const isStraight = isWrittenInFolders(path, folders) && !path.split(/[\\/]/).includes('..');
  return (
    isStraight &&
    isInFolders(
      resolvePath(path, '/', () => {}),
      folders,
    )
  );
}

function isBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder); // it is not there yet
  }
}
