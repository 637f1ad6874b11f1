// A local agent as a process that the server has started.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { RecordSplitter } from '../../../kit/process/command-records.ts';
import type { Account } from './account.ts';
import { agentEnvironment } from './environment.ts';
import type { Runtime } from './runtime.ts';
import type { ServerAddress } from './server-address.ts';

const MAX_KEPT_LINES = 10;
const LAST_LINES_MS = 200;
/** Longer lines are cut: the output of an agent must not fill the memory of the server. */
const MAX_LINE_BYTES = 10_000;

export interface AgentStart {
  readonly runtime: Runtime;
  readonly server: ServerAddress;
  readonly workDir: string;
  /** Undefined: the user of the server. */
  readonly account: Account | undefined;
  /** For its registration; empty: it has to have its token. */
  readonly key: string;
  readonly onLine: (line: string) => void;
}

export interface StartedAgent {
  /** Undefined: it could not be started. */
  readonly pid: number | undefined;
  /** How it ended, with the last lines that it printed. Never rejects. */
  readonly ended: Promise<string>;
}

export function startAgent({ runtime, server, workDir, account, key, onLine }: AgentStart): StartedAgent {
  const env = {
    ...agentEnvironment(process.env, workDir, account),
    SLIPWAY_AGENT_SERVER: server.url,
    SLIPWAY_AGENT_WORK_DIR: workDir,
    ...(server.certificate !== undefined && { SLIPWAY_AGENT_CERTIFICATE: server.certificate }),
  };
  // With another user all groups of the server are dropped.
  const child = spawn(runtime.node, [runtime.program], { cwd: workDir, env, ...(account && { uid: account.uid, gid: account.gid }) });
  child.stdin.on('error', () => {}); // it has ended already, which is reported below
  child.stdin.end(`${key}\n`);
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > MAX_KEPT_LINES) lines.shift();
    onLine(line);
  };
  for (const output of [child.stdout, child.stderr]) {
    const splitter = new RecordSplitter('\n', MAX_LINE_BYTES);
    output.on('data', (chunk: Buffer) => {
      for (const line of splitter.take(chunk)) keep(line);
    });
    output.on('end', () => {
      const rest = splitter.rest();
      if (rest) keep(rest);
    });
  }
  return { pid: child.pid, ended: endOf(child).then((how) => [how, ...lines].join('\n')) };
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  try {
    const closed = new Promise((resolve) => child.once('close', resolve));
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // Its last output comes in now; processes that it leaves behind may hold the output open.
    await Promise.race([closed, pause(LAST_LINES_MS)]);
    // On a busy machine that time may be over before anything was read.
    await turn();
    // Otherwise the server could not end before that does.
    child.stdout.destroy();
    child.stderr.destroy();
    return signal === null ? `It ended with status ${code}.` : `It was ended by ${signal}.`;
  } catch (failure) {
    return `It could not be started: ${(failure as Error).message}.`;
  }
}
