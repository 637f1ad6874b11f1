// Decides whether the script after backups could be run as things are now.
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { FORBIDDEN_LOCATION, isAllowedLocation, type ServerFolders } from './rules.ts';

/** Why not, in words; undefined: it could. */
export function scriptProblem(script: string, folders: ServerFolders, searchPath = process.env.PATH ?? ''): string | undefined {
  if (!hasAllowedLocation(script, folders)) return FORBIDDEN_LOCATION;
  // A bare name is looked for where the system looks for programs.
  const isBare = basename(script) === script;
  const found = (isBare ? searchPath.split(delimiter).map((folder) => join(folder, script)) : [script]).filter((path) => existsSync(path));
  if (found.length === 0) return isBare ? 'There is no such program in the PATH of the server.' : 'There is no such file.';
  const files = found.filter((path) => statSync(path).isFile());
  if (files.length === 0) return 'This is not a file.';
  return files.some(isExecutable) ? undefined : 'The file is not executable. Run chmod u+x on it.';
}

export function hasAllowedLocation(script: string, { artifactsDir, backupsDir, pipelinesDir }: ServerFolders): boolean {
  return isAllowedLocation(withoutLinks(script), {
    artifactsDir: withoutLinks(artifactsDir),
    backupsDir: withoutLinks(backupsDir),
    pipelinesDir: withoutLinks(pipelinesDir),
  });
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // not there: starting it will say so
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // that is the answer
  }
}
