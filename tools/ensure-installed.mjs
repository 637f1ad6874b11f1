// Installs the packages of the lockfile that are not installed yet. Runs on any Node from 20 on, with nothing installed.
// `--then FILE` runs a script on the Node that was installed: the shell of npm remembers where it found `node` before.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const OLDEST_NODE = 26;
const root = join(import.meta.dirname, '..');
const isProduction = process.argv.includes('--production');
const readLock = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

/** Compares npm's own note of the installed packages with the lockfile. */
function isComplete() {
  const note = 'node_modules/.package-lock.json';
  if (!existsSync(join(root, note))) return false;
  const installed = readLock(note);
  return Object.entries(readLock('package-lock.json')).every(([path, wanted]) => {
    if (path === '' || (isProduction && wanted.dev)) return true;
    const found = installed[path];
    if (found) return found.version === wanted.version;
    return wanted.optional === true || wanted.devOptional === true; // made for another platform
  });
}

function install() {
  process.stderr.write('Installing dependencies …\n');
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...(isProduction ? ['--omit=dev'] : [])];
  const { status } = spawnSync('npm', options, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

/** npm puts node_modules/.bin first on the path, so the scripts run on the Node that came as a package. */
function runNode(args, options) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return spawnSync('node', args, { ...options, env: { ...process.env, PATH: path }, shell: process.platform === 'win32' });
}

function mustHaveNode() {
  const { stdout } = runNode(['--version'], { encoding: 'utf8' });
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  if (major >= OLDEST_NODE) return;
  process.stderr.write(
    `Slipway needs Node ${OLDEST_NODE}. There is no package with it for ${process.platform}-${process.arch}: install Node ${OLDEST_NODE} by hand.\n`,
  );
  process.exit(1);
}

if (!isComplete()) install();
mustHaveNode();
const then = process.argv.indexOf('--then');
if (then > 0) process.exitCode = runNode([join(root, process.argv[then + 1])], { stdio: 'inherit' }).status ?? 1;
