// Agents of a test: in the process of the test, or in one of their own.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { runAgent } from '../../../src/agent/main.ts';
import type { AgentOptions } from '../../../src/agent/options.ts';
import { AGENT } from '../server/programs.ts';
import { until } from '../until.ts';
import type { AgentServer } from './agent-server.ts';

export interface TestAgent {
  readonly workDir: string;
  readonly output: readonly string[];
  /** The exit code. */
  readonly ended: Promise<number>;
  stop(): Promise<number>;
}

export function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-agent-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ended with the test. Does not check out materials, unless the test says how. */
export function startAgent(context: TestContext, server: Pick<AgentServer, 'url'>, more: Partial<AgentOptions> = {}): TestAgent {
  const output: string[] = [];
  let stopping = () => {};
  const workDir = more.workDir ?? join(temporaryFolder(context), 'agent');
  const ended = runAgent({
    server: server.url,
    workDir,
    resources: [],
    environments: [],
    environment: process.env,
    print: (line) => output.push(line),
    printFailure: (line) => output.push(line),
    onStop: (stop) => {
      stopping = stop;
    },
    checkOut: async () => {},
    ...more,
  });
  const stop = () => {
    stopping();
    return ended;
  };
  context.after(stop);
  return { workDir, output, ended, stop };
}

export interface AgentProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output of the agent so far. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** A process of its own, as the server starts it. */
export function spawnAgent(
  context: TestContext,
  server: Pick<AgentServer, 'url'>,
  workDir: string,
  { key = '', environment = {} } = {},
): AgentProcess {
  const env = { ...process.env, SLIPWAY_AGENT_SERVER: server.url, SLIPWAY_AGENT_WORK_DIR: workDir, ...environment };
  const child = spawn(process.execPath, [AGENT], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.on('error', () => {}); // it may have ended already
  child.stdin.write(`${key}\n`);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  context.after(() => child.kill('SIGKILL'));
  return { child, output: () => output, ended };
}

/** Watches the memory of an agent from when it waits for work on: gives how many bytes more it has had. */
export async function watchMemory(context: TestContext, { child, output }: AgentProcess): Promise<() => number> {
  const memory = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) * 1024;
  await until('the agent', () => /waits for work/.test(output()));
  const before = memory();
  let max = before;
  const timer = setInterval(() => (max = Math.max(max, memory())), 20);
  context.after(() => clearInterval(timer));
  return () => max - before;
}
