// The bundle that `npm start` runs: it holds every program that the sources start, and they work from there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const build = join(root, 'build');
const directory = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
let server: ServerProcess;

before(async () => {
  execFileSync(process.execPath, [join(root, 'tools', 'build.mjs')]);
  server = await startAsItIs(join(directory, 'data'), [], 'secret', join(build, 'start.js'));
});
after(async () => {
  await server?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

const ask = (method: string, path: string, init: { readonly body?: FormData; readonly headers?: Record<string, string> } = {}) =>
  fetch(server.url + path, {
    method,
    body: init.body,
    headers: { Authorization: `Basic ${btoa('admin:secret')}`, 'X-Svc-Confirm': 'true', ...init.headers },
  });

test('the bundle has every program that the sources start', () => {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/ownProgram(?:File)?\('([^']+)'\)/g)].map(([, path]) => path!)));
  assert.ok(named.size >= 8, `${named.size} programs`);
  const names = [...named].map((path) => basename(path).replace(/\.ts$/, '.js'));
  assert.equal(new Set(names).size, names.length, 'two programs have the same last name');
  assert.deepEqual(
    names.filter((name) => !existsSync(join(build, name))),
    [],
  );
});

test('the bundle is ASCII, or else Node would keep the whole file with two bytes for each character', () => {
  const files = globSync('*.js', { cwd: build });
  assert.ok(files.includes('start.js'));
  assert.deepEqual(
    files.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(build, file), 'utf8'))),
    [],
  );
});

test('no source looks for files beside itself, for they are not in the bundle', () => {
  const sources = globSync('src/**/*.{ts,mjs}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const looking = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes('import.meta.'));
  // The last one looks for files beside both folders.
  assert.deepEqual(looking.toSorted(), ['src/kit/process/own-program.ts', 'src/start.mjs']);
});

test('the threads for passwords and for the document work from the bundle', async () => {
  const document = await ask('GET', '/api/admin/config.xml');
  assert.equal(document.status, 200);
  assert.match(await document.text(), /<cruise /);
});

test('the threads for files work from the bundle', async () => {
  const form = new FormData();
  form.append('files[]', new Blob(['format_version: 10\n']), 'ci.gocd.yaml');
  const verdict = await ask('POST', '/api/admin/config_repo_ops/preflight?pluginId=yaml.config.plugin', { body: form });
  assert.deepEqual([verdict.status, await verdict.json()], [200, { errors: [], valid: true }]);
});

test('the processes for backups work from the bundle', async () => {
  const begun = await ask('POST', '/api/backups');
  assert.equal(begun.status, 202);
  const location = begun.headers.get('location')!;
  await until('the end of the backup', async () => {
    const { status } = (await (await ask('GET', location)).json()) as { status: string };
    assert.notEqual(status, 'ERROR');
    return status === 'COMPLETED';
  });
});

test('the command line works from the bundle', () => {
  const output = execFileSync(process.execPath, [join(build, 'slipway.js'), '--help'], { encoding: 'utf8' });
  assert.match(output, /import/);
});
