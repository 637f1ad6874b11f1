// Which files of a data directory are configuration: those that a backup takes along.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MOVED_MARK } from '../store/files/moved.ts';

export const DATABASE_FILE = 'slipway.db';
export const HISTORY_FOLDER = 'history';
/** The key of all secrets, unless the settings of the server name another file. */
export const KEY_FILE = 'cipher.key';
export const DOCUMENT_FILE = 'cruise-config.xml';
/** Where artifacts are, and backups among them, unless the configuration has another place for them. */
export const ARTIFACTS_FOLDER = 'artifacts';

/** Locks, marks, caches, content that has its own file in the backup, large folders that are not configuration, and a password in clear. */
const LEFT_OUT = new Set([
  'agents',
  'before-migration',
  'compile-cache',
  'initial-admin-password',
  'logs',
  'lost+found',
  'pipelines',
  'plugins',
  'restore-unfinished',
  'server.lock',
  'server.lock-journal',
  'server.pid',
  ARTIFACTS_FOLDER,
  HISTORY_FOLDER,
  DOCUMENT_FILE,
  MOVED_MARK,
]);
const PUT_ASIDE = /^replaced-\d/;
const UNFINISHED = /\.new$/;

/** Paths below the data directory, with slashes. Beside the artifacts directory there may be files of one's own: they are taken along. */
export function configFiles(dataDir: string, artifactsDir: string): string[] {
  return readdirSync(dataDir)
    .filter(isConfiguration)
    .flatMap((name) => filesAt(dataDir, name, artifactsDir))
    .toSorted();
}

export function isConfiguration(name: string): boolean {
  const folded = foldedName(name);
  if (folded === '' || LEFT_OUT.has(folded) || folded.startsWith('.') || folded.startsWith(DATABASE_FILE)) return false;
  return !PUT_ASIDE.test(folded) && !UNFINISHED.test(folded);
}

/** Equal for names that are the same file on some disk: where letter case does not count, or dots and blanks at the end do not. */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

function filesAt(dataDir: string, name: string, artifactsDir: string): string[] {
  const path = join(dataDir, name);
  const found = statSync(path, { throwIfNoEntry: false }); // follows links: mounted secrets are links
  if (found?.isFile()) return [name];
  if (!found?.isDirectory() || path === artifactsDir) return [];
  return readdirSync(path).flatMap((inner) => filesAt(dataDir, `${name}/${inner}`, artifactsDir));
}
