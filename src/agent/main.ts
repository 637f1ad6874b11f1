// Runs an agent: in its work directory, until a signal stops it or the server does not want it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname as nameOfMachine } from 'node:os';
import { join } from 'node:path';
import { INSTALLATION } from '../kit/process/own-program.ts';
import { AgentLoop } from './agent-loop.ts';
import { checkOut } from './checkout/check-out.ts';
import { inheritedEnvironment } from './job/environment.ts';
import type { AgentOptions } from './options.ts';
import { endAll } from './processes/end-processes.ts';
import { markedProcesses, markerOf } from './processes/process-tree.ts';
import { AgentRefused } from './server/registration.ts';
import { ServerClient } from './server/server-client.ts';
import { describeDiskFailure } from './task/describe-failure.ts';
import { DamagedIdentity, readIdentity } from './work-dir/identity.ts';
import { SPOOL_FOLDER } from './work-dir/layout.ts';
import { lockWorkDir } from './work-dir/lock.ts';

const FAILED = 1;
const LEFT_BEHIND_MS = 2000;

/** Returns the exit code: 0 when a signal stopped it. */
export async function runAgent(options: AgentOptions): Promise<number> {
  const { workDir, printFailure } = options;
  try {
    mkdirSync(workDir, { recursive: true, mode: 0o700 });
    const lock = lockWorkDir(workDir);
    if ('holder' in lock) {
      printFailure(
        `Another agent works in ${workDir} (process ${lock.holder}). Each agent needs a work directory of its own: give --work-dir.`,
      );
      return FAILED;
    }
    try {
      return await runLocked(options);
    } finally {
      lock.release();
    }
  } catch (failure) {
    const { syscall } = failure as NodeJS.ErrnoException;
    if (failure instanceof AgentRefused || failure instanceof DamagedIdentity) printFailure(failure.message);
    else if (syscall !== undefined) printFailure(describeDiskFailure(failure as Error));
    else throw failure;
    return FAILED;
  }
}

async function runLocked(options: AgentOptions): Promise<number> {
  const { workDir, server, environment, print, onStop, graceMs, retryLimits } = options;
  const identity = readIdentity(workDir);
  const marker = markerOf(identity.uuid);
  await removeLeftovers(workDir, marker);
  const [client, stopping, instance, hostname] = [
    new ServerClient(server, options.certificate),
    new AbortController(),
    randomUUID(),
    options.name || nameOfMachine(),
  ];
  const inherited = inheritedEnvironment(environment, INSTALLATION);
  const job = {
    client,
    instance,
    hostname,
    workDir,
    marker,
    inherited,
    checkOut: options.checkOut ?? checkOut,
    print,
    graceMs,
    retryLimits,
  };
  const loop = new AgentLoop({ client, options, hostname, instance, signal: stopping.signal, job }, identity);
  onStop(() => {
    if (!stopping.signal.aborted) print('The agent ends.');
    stopping.abort();
    void loop.stop();
  });
  try {
    await loop.run();
  } finally {
    // Its job has its time to end; only a second word to stop cuts that off.
    await (stopping.signal.aborted ? loop.jobEnded() : loop.stop());
    client.close();
  }
  return 0;
}

/** Of an earlier agent process that was killed: ends its processes and removes its unsent console output. That job is begun anew. */
async function removeLeftovers(workDir: string, marker: string): Promise<void> {
  await endAll(() => markedProcesses(marker), LEFT_BEHIND_MS);
  const spool = join(workDir, SPOOL_FOLDER);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(spool)) rmSync(join(spool, name), { force: true, recursive: true });
}
