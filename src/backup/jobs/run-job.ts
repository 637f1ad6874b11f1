// Starts a process for one piece of the heavy work of a backup, listens to it, and makes sure that it ends.
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import type { FromJob, JobName, Jobs, ToJob } from './messages.ts';
import type { ReportProgress } from './progress.ts';

const PROGRAM = join(import.meta.dirname, 'process.ts');
const MOST_COMPLAINT = 2000;
const GRACE_MS = 5000;
/** Nobody but the server itself has any use for it. */
const KEPT_BACK = 'SLIPWAY_ADMIN_PASSWORD';

export interface JobOptions {
  readonly onProgress: ReportProgress;
  /** Ends it. */
  readonly signal: AbortSignal;
}

export type RunJob = <Name extends JobName>(job: Name, order: Jobs[Name]['order'], options: JobOptions) => Promise<Jobs[Name]['result']>;

export const runJob: RunJob = (job, order, { onProgress, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = fork(PROGRAM, {
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    const abort = () => end(child);
    signal.addEventListener('abort', abort);
    let complaint = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-MOST_COMPLAINT);
    });
    child.on('message', (message: FromJob) => {
      if ('progress' in message) onProgress(message.progress);
      else if ('result' in message) resolve(message.result as never);
      else reject(new Error(message.failure));
    });
    child.once('error', reject);
    child.once('exit', (status, ending) => {
      signal.removeEventListener('abort', abort);
      const how = signal.aborted ? 'was told to end' : `ended by itself (${ending ?? `status ${status}`})`;
      reject(new Error(`The process for the ${job} part of the backup ${how}. ${complaint}`.trim()));
    });
    child.send({ job, order } as ToJob, (failure) => failure && reject(failure));
  });

/** Compiled code is kept where the server keeps its own. */
function environment(): NodeJS.ProcessEnv {
  const { [KEPT_BACK]: _, ...env } = process.env;
  const cache = getCompileCacheDir();
  return cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** It ends what it has started when it is left alone. */
function end(child: ChildProcess): void {
  if (child.connected) child.disconnect();
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}
