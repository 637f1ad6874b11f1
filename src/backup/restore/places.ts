// Which files of a data directory a restore puts aside, and which stay.
import { MARK } from '../../store/files/private-files.ts';
import { DATABASE_FILE, DOCUMENT_FILE, HISTORY_FOLDER, isConfiguration } from '../data-files.ts';

/** Where a backup is unpacked before its files get to their places. */
export const STAGING = '.restoring';
/** What is in a directory that nothing was ever kept in: a new volume has the first, a lock leaves the others. */
const NOTHING = new Set(['lost+found', 'server.lock', 'server.lock-journal', 'server.pid', 'compile-cache', MARK, STAGING]);
/** Replaced though a backup does not hold it: it belongs to the old administrator. */
const ALSO_REPLACED = new Set([HISTORY_FOLDER, DOCUMENT_FILE, 'initial-admin-password']);

export function isEmptyFor(names: readonly string[]): boolean {
  return names.every((name) => NOTHING.has(name));
}

export function isReplaced(name: string): boolean {
  return name.startsWith(DATABASE_FILE) || ALSO_REPLACED.has(name) || isConfiguration(name);
}
