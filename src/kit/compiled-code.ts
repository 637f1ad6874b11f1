// Where Node keeps compiled code between starts. Programs and threads that find theirs there neither compile nor strip types.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** For the environment of a program that is started: it keeps its code where the server does. */
export function compiledCode(): { readonly NODE_COMPILE_CACHE?: string } {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

/** Three parts of it are in use at different times, so it is as much as the server itself has. */
const YOUNG_MB = 24;

export function startThread(program: URL, { resourceLimits, ...options }: WorkerOptions): Worker {
  const limits = { maxYoungGenerationSizeMb: YOUNG_MB, ...resourceLimits };
  return new Worker(program, { ...options, resourceLimits: limits, env: { ...process.env, ...compiledCode() } });
}
