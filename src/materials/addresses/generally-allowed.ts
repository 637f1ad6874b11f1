// Which addresses all users who may name a repository may use: addresses of other machines, and paths in the folders for repositories.
import { findRepositoryDefinition } from '../types/list.ts';
import { isLocal, openAddress } from './address.ts';
import { isInFolders, isWrittenInFolders } from './local-folders.ts';
import { pathsIn } from './local-path.ts';
import { resolvePath } from './resolve-path.ts';

/** Whether the address is one of another machine, or leads straight into one of the folders, even if nothing exists there. */
export function isGenerallyAllowed(type: string, url: string, folders: readonly string[]): boolean {
  try {
    const address = openAddress(findRepositoryDefinition(type)?.namesBranchInUrl ? url.replace(/#.*/s, '') : url).url;
    return !isLocal(address) || pathsIn(address).every((path) => leadsStraightIn(path, folders));
  } catch {
    return false; // an address that cannot be followed is refused like all the rest
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
