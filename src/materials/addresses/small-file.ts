// Reads a file of a repository on this machine, whose owner may have put anything in its place.
import { readFileSync, statSync } from 'node:fs';

/** Maximum size of a file that only names a directory: git reads no more of one. */
const MAX_BYTES = 1024 * 1024;

/** Empty unless it is a file, for a pipe or a device would never end; undefined: it is too long. */
export function smallText(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return '';
    return stats.size > MAX_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return ''; // nothing is there, or nothing that a program could read either
  }
}
