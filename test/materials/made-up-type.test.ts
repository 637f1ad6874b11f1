// Adding a type of repository takes its folder and a line in the list: with a made-up type, in a copy of the sources.
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { sha256 } from '../../src/kit/bytes/hash.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const fixture = join(import.meta.dirname, 'support', 'made-up-type');

const directory = mkdtempSync(join(tmpdir(), 'slipway-type-'));
const journal = join(directory, 'journal.txt');
const fingerprint = sha256(`type=JournalMaterial<|>url=${journal}`);
let server: ServerProcess;

before(async () => {
  const copy = join(directory, 'copy');
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const types = join(copy, 'src', 'materials', 'types');
  mkdirSync(join(types, 'journal'));
  for (const file of globSync('*.ts', { cwd: fixture })) writeFileSync(join(types, 'journal', basename(file)), moved(join(fixture, file)));
  const list = join(types, 'list.ts');
  const before = readFileSync(list, 'utf8');
  const after = before.replace(/(REPOSITORY_TYPES = \{.*?)( \})/s, '$1, journal$2');
  assert.notEqual(after, before);
  writeFileSync(list, `import { journal } from './journal/definition.ts';\n${after}`);
  writeFileSync(journal, 'first\n');
  server = await startAsItIs(join(directory, 'data'), ['--local-repositories', directory], 'secret', join(copy, 'src', 'main.ts'));
});

after(async () => {
  await server?.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Its imports as they are in the folder of a type. */
function moved(file: string): string {
  const text = readFileSync(file, 'utf8');
  return [
    ['../../../../src/materials/types/', '../'],
    ['../../../../src/materials/', '../../'],
    ['../../../../src/', '../../../'],
  ].reduce((sofar, [from, to]) => sofar.replaceAll(from!, to!), text);
}

async function ask(method: string, path: string, version: number, body?: unknown) {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      Authorization: basic('admin', 'secret'),
      Accept: `application/vnd.svc.v${version}+json`,
      'X-GoCD-Confirm': 'true',
      ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

const pipelineWith = (material: object, name = 'reader') => ({
  group: 'made-up',
  pipeline: {
    name,
    materials: [material],
    stages: [{ name: 'read', jobs: [{ name: 'read', tasks: [{ type: 'exec', attributes: { command: 'true' } }] }] }],
  },
});

test('a pipeline has a material of the type, with its attributes and their defaults', async () => {
  const made = await ask('POST', '/api/admin/pipelines', 11, pipelineWith({ type: 'journal', attributes: { url: journal } }));
  assert.equal(made.status, 200, made.text);
  const { type, attributes } = made.json.materials[0];
  assert.deepEqual([type, attributes.url, attributes.ignores_empty_lines], ['journal', journal, false]);
});

test('invalid attributes of the type are refused', async () => {
  const refused = await ask('POST', '/api/admin/pipelines', 11, pipelineWith({ type: 'journal', attributes: { url: '' } }, 'other'));
  assert.deepEqual(
    [refused.status, refused.json.data.materials[0].attributes.errors],
    [422, { url: ['URL cannot be blank'] }],
    refused.text,
  );
  const unknown = await ask('POST', '/api/admin/pipelines', 11, pipelineWith({ type: 'diary', attributes: {} }));
  assert.match(unknown.text, /one of 'git,.* journal, dependency, package, plugin'/);
});

test('a material of the type has a fingerprint, and is polled', async () => {
  const { _embedded } = (await ask('GET', '/api/config/materials', 2)).json;
  assert.deepEqual(
    _embedded.materials.map((one: { fingerprint: string }) => one.fingerprint),
    [fingerprint],
  );
  const newest = async () =>
    (await ask('GET', `/api/materials/${fingerprint}/modifications`, 2)).json?._embedded?.modifications?.[0]?.revision;
  for (const revision of ['first', 'second']) {
    appendFileSync(journal, `${revision}\n`);
    assert.equal((await ask('POST', `/api/internal/materials/${fingerprint}/trigger_update`, 1)).status, 201);
    await until(`the revision ${revision}`, async () => (await newest()) === revision);
  }
});

test('a material of the type does not lead into the data directory', async () => {
  const check = (url: string) => {
    const material = { type: 'journal', attributes: { url } };
    return ask('POST', '/api/admin/internal/pipelines/verify_connection', 1, {
      group: 'made-up',
      name: 'reader',
      parameters: [],
      material,
    });
  };
  assert.equal((await check(journal)).status, 200);
  const refused = await check(join(directory, 'data', 'journal.txt'));
  assert.deepEqual([refused.status, /leads into the data directory/.test(refused.text)], [422, true], refused.text);
});

test('a material of the type is written into config.xml', async () => {
  const { text } = await ask('GET', '/api/admin/config.xml', 1);
  assert.ok(text.includes(`<journal url="${journal}"`), text);
});

test('a file of a config repo has the type in its short form', async () => {
  const form = new FormData();
  const file = `format_version: 10
pipelines:
  writer:
    group: made-up
    materials:
      notes:
        journal: ${journal}
        ignores_empty_lines: true
    stages:
      - read:
          jobs:
            read:
              tasks:
                - exec:
                    command: ls
`;
  form.append('files[]', new Blob([file]), 'ci.gocd.yaml');
  const verdict = await ask('POST', '/api/admin/config_repo_ops/preflight?pluginId=yaml.config.plugin', 1, form);
  assert.deepEqual([verdict.status, verdict.json], [200, { errors: [], valid: true }]);
});

test('a config repo may be of the type', async () => {
  const repo = {
    id: 'notes',
    plugin_id: 'yaml.config.plugin',
    material: { type: 'journal', attributes: { url: journal, auto_update: true } },
    rules: [],
  };
  const made = await ask('POST', '/api/admin/config_repos', 4, repo);
  assert.deepEqual([made.status, made.json?.material.type], [200, 'journal'], made.text);
});
