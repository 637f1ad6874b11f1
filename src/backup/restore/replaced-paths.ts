// Which files of a data directory a restore puts aside, and which stay.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { MOVED_MARK } from '../../store/files/moved.ts';
import { MARK } from '../../store/files/private-files.ts';
import { DATABASE_FILE, DOCUMENT_FILE, HISTORY_FOLDER, isConfiguration } from '../data-files.ts';

/** Where a backup is unpacked before its files get to their places. */
export const STAGING = '.restoring';
/** The files in a directory that was never used: a new volume has the first, a lock leaves the others. */
const NOTHING = new Set(['lost+found', 'server.lock', 'server.lock-journal', 'server.pid', 'compile-cache', MARK, STAGING]);
/** Replaced though a backup does not hold them: they belong to the old administrator, and to the old database. */
const ALSO_REPLACED = new Set([HISTORY_FOLDER, DOCUMENT_FILE, 'initial-admin-password', MOVED_MARK]);

export function isEmptyFor(names: readonly string[]): boolean {
  return names.every((name) => NOTHING.has(name));
}

/**
 * The place of artifacts that a configuration names, as a path below the data directory, with slashes. Undefined: it is
 * elsewhere, or where the server keeps something else; no configuration can say that its files are artifacts.
 */
export function artifactsPath(dataDir: string, configured: string): string | undefined {
  const steps = relative(dataDir, resolve(dataDir, configured)).split(sep);
  return isConfiguration(steps[0]!) && steps[0] !== '' ? steps.join('/') : undefined;
}

/** Paths below the data directory, with slashes. Folders around the `artifacts` are not replaced, but the other entries in them are. */
export function replacedIn(dataDir: string, artifacts?: string): string[] {
  return existsSync(dataDir)
    ? readdirSync(dataDir)
        .filter(isReplaced)
        .flatMap((name) => replacedAt(dataDir, name, artifacts))
    : [];
}

function isReplaced(name: string): boolean {
  return name.startsWith(DATABASE_FILE) || ALSO_REPLACED.has(name) || isConfiguration(name);
}

function replacedAt(dataDir: string, name: string, artifacts = ''): string[] {
  const isAround = artifacts.startsWith(`${name}/`);
  if ((!isAround && name !== artifacts) || !isFolder(join(dataDir, name))) return [name];
  return isAround ? readdirSync(join(dataDir, name)).flatMap((inner) => replacedAt(dataDir, `${name}/${inner}`, artifacts)) : [];
}

/** Paths below `from`, with slashes, that can be moved to the same places below `to`: folders that exist in both are entered. */
export function movableTo(to: string, from: string, name = ''): string[] {
  return readdirSync(join(from, name)).flatMap((inner) => {
    const path = name === '' ? inner : `${name}/${inner}`;
    return isFolder(join(from, path)) && isFolder(join(to, path)) ? movableTo(to, from, path) : [path];
  });
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
