// Finds the programs that the server starts beside itself: threads and processes of its own, and scripts it hands to others.
// From source each lies where it was written. Bundled (tools/build.mjs), all lie in the folder of the bundle, under their last name.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Set by the bundler alone. */
declare const IS_BUNDLED: boolean | undefined;

const SOURCES = new URL('../../', import.meta.url);

/** The folder that holds `package.json`: beside the sources, and beside the bundle. */
export const INSTALLATION = fileURLToPath(new URL('../', typeof IS_BUNDLED === 'undefined' ? SOURCES : import.meta.url));

/** `path`: from the folder of the sources, such as `store/sqlite/writer-thread.ts`. The bundler reads it: call it with a literal. */
export function ownProgram(path: string): URL {
  const bundled = basename(path).replace(/\.ts$/, '.js');
  if (typeof IS_BUNDLED === 'undefined') return forTests(bundled) ?? new URL(path, SOURCES);
  return new URL(`./${bundled}`, import.meta.url);
}

/** Tests run from source, and start hundreds of threads: those load several times faster from the bundle that the test runner has made. */
function forTests(bundled: string): URL | undefined {
  const { TEST_BUILD } = process.env;
  const file = TEST_BUILD && join(TEST_BUILD, bundled);
  return file && existsSync(file) ? pathToFileURL(file) : undefined;
}

export function ownProgramFile(path: string): string {
  return fileURLToPath(ownProgram(path));
}
