// The program of an agent that the server starts beside itself. Its settings come by variables, and its key by standard input: a task could
// read the command line and the environment of this process.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { runAgent } from './main.ts';
import { listOf, serverProblem } from './options.ts';
import { stopSignals } from './stop-signals.ts';

const WRONG_USE = 2;

const LOOK_EVERY_MS = 30_000;
/** Files that builds write are as readable as usual; the work directory is closed. */
const DEFAULT_UMASK = 0o022;

process.umask(DEFAULT_UMASK);
const { env } = process;
const print = (line: string) => process.stdout.write(`${line}\n`);
// The server that started it may be gone, and its pipe with it: the agent goes on.
process.stdout.on('error', () => {});

const server = env.SLIPWAY_AGENT_SERVER ?? '';
const problem = serverProblem(server);
if (problem !== undefined) {
  process.stderr.write(`SLIPWAY_AGENT_SERVER: ${problem}\n`);
  process.exit(WRONG_USE);
}

const key = await firstLine();
const signals = stopSignals();
const workDir = resolve(env.SLIPWAY_AGENT_WORK_DIR || './agent');
// It outlives a server that was killed, but not its data directory.
setInterval(() => {
  if (!existsSync(workDir)) process.kill(process.pid, 'SIGTERM');
}, LOOK_EVERY_MS).unref();
process.exitCode = await runAgent({
  server,
  workDir,
  key: key || undefined,
  certificate: env.SLIPWAY_AGENT_CERTIFICATE || undefined,
  name: env.SLIPWAY_AGENT_NAME || undefined,
  resources: listOf(env.SLIPWAY_AGENT_RESOURCES),
  environments: listOf(env.SLIPWAY_AGENT_ENVIRONMENTS),
  elasticAgentId: env.SLIPWAY_AGENT_ELASTIC_AGENT_ID || undefined,
  elasticPluginId: env.SLIPWAY_AGENT_ELASTIC_PLUGIN_ID || undefined,
  environment: env,
  print,
  printFailure: print,
  onStop: signals.onStop,
}).finally(signals.release);

/** Empty when there is none. */
function firstLine(): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin });
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
      process.stdin.destroy();
    });
    lines.once('close', () => resolve(''));
  });
}
