// Finds the programs that the server starts beside itself: threads and processes of its own, and scripts it hands to others.
// From source each lies where it was written. Bundled (tools/build.ts), all lie in the folder of the bundle, under their last name.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Set by the bundler alone. */
declare const IS_BUNDLED: boolean | undefined;

const SOURCES = new URL('../../', import.meta.url);

/** The folder that holds `package.json`: beside the sources, and beside the bundle. */
export const INSTALLATION = fileURLToPath(new URL('../', typeof IS_BUNDLED === 'undefined' ? SOURCES : import.meta.url));

/** `path`: from the folder of the sources, such as `store/writer-thread.ts`. The bundler reads it: call it with a literal. */
export function ownProgram(path: string): URL {
  if (typeof IS_BUNDLED === 'undefined') return new URL(path, SOURCES);
  return new URL(`./${basename(path).replace(/\.ts$/, '.js')}`, import.meta.url);
}

export function ownProgramFile(path: string): string {
  return fileURLToPath(ownProgram(path));
}
