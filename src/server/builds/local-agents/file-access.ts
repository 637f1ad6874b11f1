// Whether a user of this machine gets to a file, by the modes of the file and of the folders around it.
import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from './account.ts';

export const READ = 4;
export const EXECUTE = 1;

type User = Pick<Account, 'uid' | 'gid'>;

/** The folder that stops the user; undefined: all let them pass. */
export function barrierTo(path: string, user: User): string | undefined {
  return foldersAround(realpathSync(path)).find((folder) => !grants(statSync(folder), user, EXECUTE));
}

/** Whether the user can do that with a file or folder, which may not even be there. */
export function mayUse(path: string, user: User, rights: number): boolean {
  try {
    return grants(statSync(path), user, rights) && barrierTo(path, user) === undefined;
  } catch (failure) {
    const { code = '' } = failure as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return false;
    throw failure;
  }
}

/** The outermost first. */
function foldersAround(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...foldersAround(parent), parent];
}

/** Only the first set of rights that applies counts, as the system does it. */
function grants({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>, user: User, rights: number): boolean {
  const own = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
  return (own & rights) === rights;
}
