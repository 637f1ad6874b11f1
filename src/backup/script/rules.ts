// Where a script after backups may lie, and the variables it gets.
import { join, sep } from 'node:path';
import { backupsFolder } from '../folder-name.ts';
import type { Via } from '../record.ts';

export const FORBIDDEN_LOCATION = 'Post backup script cannot be executed when located within pipelines or artifact storage.';
/** Scripts for GoCD look for the second one. */
const PREFIXES = ['SVC', 'GOCD'];

export interface ServerFolders {
  readonly artifactsDir: string;
  /** The folder of all backups. */
  readonly backupsDir: string;
  /** Where the server checks out materials. */
  readonly pipelinesDir: string;
}

export function serverFolders({ artifactsDir, dataDir }: { readonly artifactsDir: string; readonly dataDir: string }): ServerFolders {
  return { artifactsDir, backupsDir: backupsFolder(artifactsDir), pipelinesDir: join(dataDir, 'pipelines') };
}

/** Users who can upload an artifact must not be able to run it as the server. All paths are absolute and without links. */
export function isAllowedLocation(script: string, { artifactsDir, backupsDir, pipelinesDir }: ServerFolders): boolean {
  if (isWithin(script, backupsDir)) return true;
  return !isWithin(script, artifactsDir) && !isWithin(script, pipelinesDir);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export interface ScriptFacts {
  readonly time: string;
  readonly path: string;
  readonly backupsDir: string;
  readonly via: Via;
  readonly user: string;
}

/** The script only ever runs after a backup that succeeded. */
export function scriptEnvironment({ time, path, backupsDir, via, user }: ScriptFacts): Record<string, string> {
  const facts = {
    STATUS: 'success',
    TIMESTAMP: time.replace(/\.\d+/, ''),
    BASE_DIR: backupsDir,
    PATH: path,
    ...(via === 'TIMER' ? { INITIATED_VIA: 'TIMER' } : { INITIATED_BY_USER: user }),
  };
  return Object.fromEntries(
    PREFIXES.flatMap((prefix) => Object.entries(facts).map(([name, value]) => [`${prefix}_BACKUP_${name}`, value])),
  );
}
