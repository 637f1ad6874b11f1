// Starts a process for one piece of the heavy work of a backup, listens to it, and makes sure that it ends.
import { type ChildProcess, fork } from 'node:child_process';
import { compiledCode } from '../../kit/process/compiled-code.ts';
import { ownProgramFile } from '../../kit/process/own-program.ts';
import { endProcessGroup } from '../script/process-group.ts';
import type { FromJob, JobName, Jobs, ToJob } from './messages.ts';
import type { ReportProgress } from './progress.ts';

const PROGRAM = ownProgramFile('backup/jobs/job-process.ts');
const MAX_COMPLAINT = 2000;
const GRACE_MS = 5000;
/** Only the server itself uses them: a script has nothing to do with its passwords, and the other jobs get their values in the order. */
const KEPT_BACK = ['SLIPWAY_ADMIN_PASSWORD', 'SLIPWAY_DATABASE_URL', 'SLIPWAY_DATABASE_PASSWORD', 'SLIPWAY_DATABASE_PASSWORD_FILE'];

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
      // Then the server knows the group of a script before there is a script.
      detached: job === 'script',
    });
    const abort = () => end(child, job);
    signal.addEventListener('abort', abort);
    let complaint = '';
    let hasResult = false;
    child.stderr!.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-MAX_COMPLAINT);
    });
    child.on('message', (message: FromJob) => {
      if ('progress' in message) onProgress(message.progress);
      else if ('result' in message) {
        hasResult = true;
        resolve(message.result as never);
      } else reject(new Error(message.failure));
    });
    child.once('error', reject);
    const ended = (status: number | null, ending: NodeJS.Signals | null) => {
      signal.removeEventListener('abort', abort);
      if (hasResult) return;
      endRest(child, job);
      const how = signal.aborted ? 'was asked to end' : `ended by itself (${ending ?? `status ${status}`})`;
      reject(new Error(`The process for the ${job} part of the backup ${how}. ${complaint}`.trim()));
    };
    // At its exit, its last message may still be on its way; but one that was asked to end gets no further.
    child.once('close', ended);
    child.once('exit', (status, ending) => signal.aborted && ended(status, ending));
    child.send({ job, order } as ToJob, (failure) => failure && reject(failure));
  });

/** Compiled code is kept where the server keeps its own. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !KEPT_BACK.includes(name));
  return { ...Object.fromEntries(own), ...compiledCode() };
}

/** The one that watches over a script takes that along; it does so when it is left alone. */
function end(child: ChildProcess, job: JobName): void {
  if (job === 'script' && child.connected) child.disconnect();
  setTimeout(() => child.kill('SIGKILL'), job === 'script' ? GRACE_MS : 0).unref();
}

/** It may have had no time to take its script along. */
function endRest({ pid }: ChildProcess, job: JobName): void {
  if (job === 'script' && pid !== undefined) endProcessGroup(pid, 'SIGKILL');
}
