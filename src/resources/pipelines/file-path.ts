// Paths below a working directory.
/** The pattern of GoCD, as it stands in its messages. */
export const FILE_PATH_PATTERN = '(([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])';
const FILE_PATH = new RegExp(`^(${FILE_PATH_PATTERN})$`);

/** No system opens longer ones. */
const MAX_PATH_LENGTH = 4096;
export const TOO_LONG = `The path must not be longer than ${MAX_PATH_LENGTH} characters.`;

export function isFilePath(path: string): boolean {
  return FILE_PATH.test(path);
}

export function isTooLong(path: string): boolean {
  return path.length > MAX_PATH_LENGTH;
}

export function leavesDirectory(path: string | null): boolean {
  if (!path) return false;
  if (path.startsWith('/')) return true;
  if (!path.includes('..')) return false;
  let depth = 0;
  for (const step of path.split('/')) {
    if (step === '..') depth--;
    else if (step !== '' && step !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
