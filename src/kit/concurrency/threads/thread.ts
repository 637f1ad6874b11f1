// Starts a thread that finds its compiled code and takes no more memory than it needs.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { compiledCode } from '../../process/compiled-code.ts';

/** Three parts of it are in use at different times, so it is as much as the server itself has. */
const YOUNG_MB = 24;

export function startThread(program: URL, { resourceLimits, ...options }: WorkerOptions): Worker {
  const limits = { maxYoungGenerationSizeMb: YOUNG_MB, ...resourceLimits };
  return new Worker(program, { ...options, resourceLimits: limits, env: { ...process.env, ...compiledCode() } });
}
