// A server in a process of its own, as `npm start` runs it: for tests that kill it.
import { type ChildProcess, spawn } from 'node:child_process';
import { databaseUrlOf } from '../database/database.ts';
import { PATIENCE_MS } from '../patience.ts';
import { bareEnvironment } from './bare-environment.ts';
import { SERVER } from './programs.ts';
import { setQuickPassword } from './quick-login.ts';

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Ends it with this signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server with an administrator who logs in quickly. */
export async function startProcess(dataDir: string, flags: readonly string[] = [], password = 'secret'): Promise<ServerProcess> {
  const server = await startAsItIs(dataDir, flags, password);
  if (server.output().includes('with the password you chose')) setQuickPassword(dataDir, 'admin', password);
  return server;
}

export async function startAsItIs(
  dataDir: string,
  flags: readonly string[] = [],
  password = 'secret',
  program = SERVER,
  nodeFlags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const url = await databaseUrlOf(dataDir);
  const args = [...nodeFlags, program, '--data-dir', dataDir, '--port', '0', '--material-interval', '0', ...flags];
  const child = spawn(process.execPath, args, {
    env: bareEnvironment({ SLIPWAY_ADMIN_PASSWORD: password, ...(url !== undefined && { SLIPWAY_DATABASE_URL: url }), ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return gone;
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server did not start:\n${output}`));
    }, PATIENCE_MS);
    const look = (chunk: Buffer) => {
      output += chunk;
      const url = /ready at (\S+)/.exec(output)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve({ url, child, output: () => output, end });
    };
    child.stdout!.on('data', look);
    child.stderr!.on('data', look);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}:\n${output}`));
    });
  });
}
