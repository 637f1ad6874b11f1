// Reads a file of a repository on this machine, whose owner may have put anything in its place.
import { readFileSync, statSync } from 'node:fs';

/** Maximum size of a file that only names a directory: git reads no more of one. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file. Empty for anything else: a pipe or a device would never end. undefined: the file is too long. */
export function smallText(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return '';
    return stats.size > MAX_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return ''; // nothing is there, or nothing that a program could read either
  }
}
