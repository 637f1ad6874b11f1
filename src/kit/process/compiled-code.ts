// Where Node keeps compiled code between starts. Programs and threads that find theirs there neither compile nor strip types.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** For the environment of a program that is started: it keeps its code where the server does. */
export function compiledCode(): { readonly NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}
