// The packages of a release: the same bytes wherever they are built, nothing in them that does not belong there, and they work.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { nodePackages } from '../../tools/release/lockfile.ts';
import { ownPlatform, PLATFORMS } from '../../tools/release/platforms.ts';
import { entriesOfTar } from '../../tools/release/tar.ts';
import { git } from '../support/git.ts';
import { basic } from '../support/requests/basic.ts';
import { until } from '../support/until.ts';
import { copyOfCheckout, finished, IS_WHOLE, makePackages, ROOT } from './package-lab.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-release-'));
const [here, elsewhere, npmFolder, unpacked] = ['here', 'elsewhere-dist', 'npm', 'unpacked'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];
const platform = ownPlatform();
const ARCHIVES = IS_WHOLE ? Object.keys(PLATFORMS) : [platform].filter((one) => one !== undefined);
const NAMES = ['npm', 'client', ...ARCHIVES, 'chart'];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const npmFile = `slipway-${version}.tgz`;
/** The limit that the documentation promises for the npm package. */
const MAX_NPM_BYTES = 4_000_000;
const PASSWORD = 'first-password';
const started: ChildProcess[] = [];

before(async () => {
  await Promise.all([makePackages(ROOT, here, NAMES), makePackages(copyOfCheckout(folder), elsewhere, NAMES)]);
});
after(async () => {
  for (const child of started) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Provenance {
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicate: {
    readonly buildDefinition: { readonly resolvedDependencies: readonly { readonly digest: { readonly gitCommit?: string } }[] };
  };
}

interface Sbom {
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly licenses?: readonly object[];
    readonly hashes: readonly { readonly content: string }[];
  }[];
}

interface NpmManifest {
  readonly gitHead: string;
  readonly scripts?: object;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly private?: boolean;
}

const contentsOf = (file: string) => entriesOfTar(gunzipSync(readFileSync(join(here, file))));

test('packages built at two places have the same bytes', () => {
  const names = readdirSync(here).toSorted();
  assert.deepEqual(names, readdirSync(elsewhere).toSorted());
  assert.equal(names.length, NAMES.length + 3);
  for (const name of names) assert.ok(readFileSync(join(here, name)).equals(readFileSync(join(elsewhere, name))), name);
});

test('the checksums and the statement of provenance name all files', () => {
  const sums = new Map(
    readdirSync(here).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(here, name)))
        .digest('hex'),
    ]),
  );
  const lines = readFileSync(join(here, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines,
    [...sums]
      .filter(([name]) => name !== 'SHA256SUMS')
      .map(([name, sum]) => `${sum}  ${name}`)
      .toSorted(byName),
  );
  const { subject, predicate } = JSON.parse(readFileSync(join(here, `slipway-${version}.provenance.json`), 'utf8')) as Provenance;
  const notItself = [...sums].filter(([name]) => name !== 'SHA256SUMS' && !name.endsWith('.provenance.json'));
  assert.deepEqual(new Map(subject.map(({ name, digest }) => [name, digest.sha256])), new Map(notItself));
  assert.equal(predicate.buildDefinition.resolvedDependencies[0]!.digest.gitCommit, 'a'.repeat(40));
});

const byName = (one: string, other: string) => (one.slice(66) < other.slice(66) ? -1 : 1);

test('the list of contents names every package whose code is in the bundle, with its licence and its hash', () => {
  const { components, metadata } = JSON.parse(readFileSync(join(here, `slipway-${version}.cdx.json`), 'utf8')) as Sbom;
  const named = components.map(({ name }) => name);
  for (const name of ['kysely', 'pg', 'preact', 'saxes', ...nodePackages().map((one) => one.name)]) assert.ok(named.includes(name), name);
  for (const name of ['esbuild', 'typescript', '@biomejs/biome']) assert.ok(!named.includes(name), name);
  for (const { name, licenses, hashes } of components) {
    assert.equal(licenses?.length, 1, name);
    assert.match(hashes[0]!.content, /^[0-9a-f]{128}$/, name);
  }
  assert.equal(metadata.component.version, version);
});

test('the npm package is small, and holds the bundle and its papers alone', () => {
  assert.ok(readFileSync(join(here, npmFile)).length < MAX_NPM_BYTES);
  const entries = contentsOf(npmFile);
  const ALLOWED =
    /^package\/(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|THIRD-PARTY-LICENSES\.txt|bin\/slipway\.mjs|build\/[\w.-]+\.(?:js|py)|build\/pages\/index\.html|build\/pages\/assets\/[\w.-]+\.(?:js|css|svg)(?:\.gz|\.br)?)$/;
  assert.deepEqual(
    entries.map(({ name }) => name).filter((name) => !ALLOWED.test(name)),
    [],
  );
  assert.deepEqual(
    entries.filter(({ name }) => /\.test\.|\.map$/.test(name)),
    [],
  );
  const own = entries.filter(({ content }) => content.includes(ROOT));
  assert.deepEqual(own, [], 'a file names the folder it was built in');
  const manifest = JSON.parse(find(entries, 'package/package.json')) as NpmManifest;
  for (const member of ['scripts', 'dependencies', 'devDependencies', 'private'] as const) assert.equal(manifest[member], undefined);
  assert.equal(manifest.gitHead, 'a'.repeat(40));
  assert.match(find(entries, 'package/THIRD-PARTY-LICENSES.txt'), /^kysely [\d.]+ \(MIT\)$/m);
});

const find = (entries: ReturnType<typeof contentsOf>, name: string) => entries.find((entry) => entry.name === name)!.content.toString();

/** Resolves with the address that it prints. */
async function startServer(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, [...args, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('the server to be ready', () => {
    assert.equal(child.exitCode, null, output);
    return /ready at/.test(output);
  });
  return /ready at (\S+)/.exec(output)![1]!;
}

test('the npm package installs without a registry, and its server builds with an agent of the archive', async () => {
  mkdirSync(npmFolder);
  writeFileSync(join(npmFolder, 'package.json'), '{}');
  const options = ['--offline', '--omit=optional', '--no-audit', '--no-fund', '--cache', join(folder, 'npm-cache')];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await finished(npm, ['install', ...options, join(here, npmFile)], process.env, npmFolder);
  const slipway = join(npmFolder, 'node_modules', '.bin', 'slipway');
  assert.match(await finished(slipway, ['--version'], process.env), new RegExp(`^Slipway ${version} \\(commit a{10},`));

  const env = { PATH: process.env.PATH, SLIPWAY_LOCAL_AGENTS: '0', SLIPWAY_ADMIN_PASSWORD: PASSWORD };
  const url = await startServer(slipway, ['--data-dir', join(folder, 'data')], env);
  const [health, page] = await Promise.all([
    fetch(`${url}/api/v1/health`),
    fetch(`${url}/auth/login`, { headers: { Accept: 'text/html' } }),
  ]);
  assert.deepEqual([health.status, page.status], [200, 200]);
  assert.match(await page.text(), /<script type="module"/);
  if (!platform) return;
  const agent = await unpackedProgram();
  await buildOnce(url, slipway, agent);
});

/** The archive of this machine, unpacked; called through a link, as if it was put on the path. */
async function unpackedProgram(): Promise<string> {
  mkdirSync(unpacked);
  await finished('tar', ['-xzf', join(here, `slipway-${version}-${platform}.tar.gz`), '-C', unpacked], process.env);
  const link = join(folder, 'slipway');
  symlinkSync(join(unpacked, `slipway-${version}-${platform}`, 'bin', 'slipway'), link);
  return link;
}

async function buildOnce(url: string, slipway: string, agent: string): Promise<void> {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  await git(repository, 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(repository, 'greet.sh'), 'echo "Hello from $GO_PIPELINE_NAME."\n');
  await git(repository, 'add', '.');
  await git(repository, '-c', 'user.name=me', '-c', 'user.email=me@example.org', 'commit', '--quiet', '--message', 'Say hello');

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { Authorization: basic('admin', PASSWORD), Accept: 'application/vnd.svc+json', 'Content-Type': 'application/json' },
    });
  const registration = (await (await ask('/api/admin/agent_registration')).json()) as { auto_register_key: string; command: string };
  assert.match(registration.command, /^slipway agent --server /);
  const args = ['agent', '--server', url, '--work-dir', join(folder, 'agent')];
  started.push(spawn(agent, args, { env: { PATH: process.env.PATH, SLIPWAY_AGENT_KEY: registration.auto_register_key }, stdio: 'ignore' }));
  const task = { type: 'exec', attributes: { command: 'sh', arguments: ['greet.sh'] } };
  const pipeline = {
    name: 'hello',
    materials: [{ type: 'git', attributes: { url: repository, branch: 'main', auto_update: false } }],
    stages: [{ name: 'build', jobs: [{ name: 'greet', tasks: [task] }] }],
  };
  const made = await ask('/api/admin/pipelines', { method: 'POST', body: JSON.stringify({ group: 'first', pipeline }) });
  assert.equal(made.status, 200, await made.text());
  const env = { PATH: process.env.PATH, SLIPWAY_URL: url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: PASSWORD };
  const output = await finished(slipway, ['run', 'hello', '--follow'], env);
  assert.match(output, /Hello from hello\./);
}

test('the archive needs no program of the machine', { skip: !platform && 'there is none for this platform' }, async () => {
  const url = await startServer(join(folder, 'slipway'), ['server', '--data-dir', join(folder, 'data-2'), '--local-agents', '0'], {
    PATH: '',
  });
  assert.deepEqual(await (await fetch(`${url}/api/v1/health`)).json(), { health: 'OK' });
});
