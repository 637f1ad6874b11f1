// Runs the script after a backup: without a shell, in a process group of its own, and not for ever.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReportProgress } from '../jobs/progress.ts';

export interface ScriptOrder {
  readonly path: string;
  /** Added to the environment of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

export interface ScriptResult {
  readonly exitStatus: number | null;
  readonly output: string;
  readonly problem: string | null;
}

const MOST_OUTPUT_BYTES = 64 * 1024;
const GRACE_MS = 5000;
/** Whoever the script left behind may hold on to its output. */
const LAST_OUTPUT_MS = 500;

export async function runScript(
  { path, environment, limitMs }: ScriptOrder,
  report: ReportProgress,
  gone: AbortSignal,
): Promise<ScriptResult> {
  const script = spawn(path, [], { env: { ...process.env, ...environment }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = new Tail();
  for (const stream of [script.stdout, script.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk));
  const ended = endOf(script);
  if (script.pid !== undefined) report({ note: { group: script.pid } });
  // The server has ended, so nobody waits for the script any more; and this process ends with the next line.
  gone.addEventListener('abort', () => endGroup(script, 'SIGKILL'));
  let problem: string | null = null;
  const limit = setTimeout(() => {
    problem = `it was ended because it ran longer than ${Math.round(limitMs / 1000)} seconds`;
    endGroup(script, 'SIGTERM');
    setTimeout(() => endGroup(script, 'SIGKILL'), GRACE_MS).unref();
  }, limitMs);
  const end = await ended;
  clearTimeout(limit);
  if ('failure' in end) return { exitStatus: null, output: output.text(), problem: `it could not be started: ${end.failure.message}` };
  if (problem !== null) endGroup(script, 'SIGKILL'); // the rest of the group, which has not heard the first
  problem ??= end.signal ? `it was ended by ${end.signal}` : end.status === 0 ? null : `it ended with status ${end.status}`;
  return { exitStatus: end.status, output: output.text(), problem };
}

type End = { readonly failure: Error } | { readonly status: number | null; readonly signal: NodeJS.Signals | null };

async function endOf(script: ChildProcess): Promise<End> {
  const closed = new Promise((resolve) => script.once('close', resolve));
  const end = await new Promise<End>((resolve) => {
    script.once('error', (failure) => resolve({ failure }));
    script.once('exit', (status, signal) => resolve({ status, signal }));
  });
  await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
  return end;
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) endProcessGroup(pid, signal);
}

export function endProcessGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure; // ended already
  }
}

/** The last part of an output: what went wrong stands at its end. */
class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - this.#chunks[0]!.length > MOST_OUTPUT_BYTES) {
      this.#dropped += this.#chunks[0]!.length;
      this.#bytes -= this.#chunks.shift()!.length;
    }
  }

  text(): string {
    const all = Buffer.concat(this.#chunks);
    const kept = all.subarray(Math.max(0, all.length - MOST_OUTPUT_BYTES));
    const dropped = this.#dropped + all.length - kept.length;
    return `${dropped > 0 ? `[${dropped} bytes before this]\n` : ''}${kept.toString('utf8')}`;
  }
}
