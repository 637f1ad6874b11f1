// Paths below a working directory.
import { posix } from 'node:path';

/** The pattern of the reference, as it stands in its messages. */
export const FILE_PATH_PATTERN = '(([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])';
const FILE_PATH = new RegExp(`^(${FILE_PATH_PATTERN})$`);

export function isFilePath(path: string): boolean {
  return FILE_PATH.test(path);
}

export function leavesDirectory(path: string | null): boolean {
  if (!path) return false;
  if (path.startsWith('/')) return true;
  if (!path.includes('..')) return false;
  const normal = posix.normalize(path);
  return normal === '..' || normal.startsWith('../');
}
