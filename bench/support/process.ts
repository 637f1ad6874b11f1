// Programs beside this one: started, waited for until they say they are ready, ended for certain.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const MAX_START_MS = 60_000;
const CHECK_EVERY_MS = 1;
const TICKS_PER_SECOND = 100;
const running = new Set<ChildProcess>();

export interface Program {
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
}

/** Its output goes to a file, as under a service manager: a pipe would make this process read it during the measurement. */
export async function startProgram(
  args: readonly string[],
  outputFile: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const output = openSync(outputFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  running.add(child);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => running.delete(child));
  for (;;) {
    const text = readFileSync(outputFile, 'utf8');
    const url = /ready at (\S+)/.exec(text)?.[1];
    const startMs = performance.now() - startedAt;
    if (url) return { url, pid: child.pid!, startMs, stop: () => stop(child, gone) };
    if (child.exitCode !== null || startMs > MAX_START_MS) throw new Error(`${args[0]} did not start:\n${text}`);
    await delay(CHECK_EVERY_MS);
  }
}

async function stop(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  await gone;
}

export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** How long a Node program that does nothing takes from start to end. */
export function timeEmptyScript(script: string): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, [script], { env: { PATH: process.env.PATH } });
  return performance.now() - startedAt;
}

export function memoryMb(pid: number): number {
  if (process.platform === 'linux') return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;
}

/** Processor time used so far; not a number where the system does not report it in a file. */
export function processorSeconds(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  // The second field is the program's name in parentheses and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
