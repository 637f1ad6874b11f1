// Runs the script after a backup: without a shell, in the process group of this process, and not for ever.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { pluralize } from '../../kit/text/pluralize.ts';
import { endProcessGroup } from './process-group.ts';

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

const MAX_OUTPUT_BYTES = 64 * 1024;
const GRACE_MS = 5000;
const FOR_THE_SCRIPT = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Processes that the script left behind may hold its output open. */
const LAST_OUTPUT_MS = 500;

/** Only for a process that leads a group, and has nothing else in it: any end of that process ends the script, too. */
export async function runScript({ path, environment, limitMs }: ScriptOrder): Promise<ScriptResult> {
  const endAll = () => endProcessGroup(process.pid, 'SIGKILL');
  process.once('exit', endAll);
  // They may be meant for the whole group, by us or by the script.
  for (const signal of FOR_THE_SCRIPT) process.on(signal, () => {});
  const script = spawn(path, [], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = new Tail();
  for (const stream of [script.stdout, script.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk));
  let isTooLong = false;
  const limit = setTimeout(() => {
    isTooLong = true;
    endProcessGroup(process.pid, 'SIGTERM');
    setTimeout(() => script.kill('SIGKILL'), GRACE_MS).unref();
  }, limitMs);
  const end = await endOf(script);
  clearTimeout(limit);
  // Processes that a script leaves behind may stay, unless it ran out of time: some of them may not have received the first signal.
  if (!isTooLong) process.off('exit', endAll);
  if ('failure' in end) return { exitStatus: null, output: output.text(), problem: `it could not be started: ${end.failure.message}` };
  return { exitStatus: end.status, output: output.text(), problem: isTooLong ? tooLong(limitMs) : problemOf(end) };
}

function tooLong(limitMs: number): string {
  return `it was ended because it ran longer than ${pluralize(Math.round(limitMs / 1000), 'second')}`;
}

function problemOf({ status, signal }: Exit): string | null {
  if (signal) return `it was ended by ${signal}`;
  return status === 0 ? null : `it ended with status ${status}`;
}

interface Exit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}
type End = { readonly failure: Error } | Exit;

async function endOf(script: ChildProcess): Promise<End> {
  const closed = new Promise((resolve) => script.once('close', resolve));
  const end = await new Promise<End>((resolve) => {
    script.once('error', (failure) => resolve({ failure }));
    script.once('exit', (status, signal) => resolve({ status, signal }));
  });
  await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
  return end;
}

/** The last part of an output: the failure stands at its end. */
class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - this.#chunks[0]!.length > MAX_OUTPUT_BYTES) {
      this.#dropped += this.#chunks[0]!.length;
      this.#bytes -= this.#chunks.shift()!.length;
    }
  }

  text(): string {
    const all = Buffer.concat(this.#chunks);
    const kept = all.subarray(Math.max(0, all.length - MAX_OUTPUT_BYTES));
    const dropped = this.#dropped + all.length - kept.length;
    return `${dropped > 0 ? `[${dropped} bytes before this]\n` : ''}${kept.toString('utf8')}`;
  }
}
