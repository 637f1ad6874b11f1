// The folders in which the command line keeps the files of its user.
import { join } from 'node:path';
import type { Environment } from '../terminal/context.ts';

const FOLDER = 'slipway';

/** Undefined: the environment does not name the home of the user. */
export function configFolder(environment: Environment): string | undefined {
  return below(environment, 'XDG_CONFIG_HOME', '.config', 'APPDATA');
}

export function cacheFolder(environment: Environment): string | undefined {
  return below(environment, 'XDG_CACHE_HOME', '.cache', 'LOCALAPPDATA');
}

function below(environment: Environment, variable: string, defaultFolder: string, onWindows: string): string | undefined {
  const home = environment.HOME || undefined;
  const folder = environment[variable] || (home && join(home, defaultFolder)) || environment[onWindows];
  return folder ? join(folder, FOLDER) : undefined;
}
