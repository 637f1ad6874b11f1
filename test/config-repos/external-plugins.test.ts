// External plugins on a real server: an example in Python, and programs that misbehave, which harm only their own repo.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { Lab } from '../materials/support/polling.ts';
import { rowsIn } from '../support/database/sql.ts';
import { accepted } from '../support/requests/callers.ts';
import { failed } from '../support/requests/replies.ts';
import { isAlive } from '../support/server/alive.ts';
import { TestServer } from '../support/server/server.ts';
import { ConfigRepoServer, until, yaml } from './support/config-repo-server.ts';
import { sentForm } from './support/sent-form.ts';

const EXAMPLE = 'slipway.example.ini';
const INI = '[web]\ngroup = shop\ngit = https://scm.example.org/web.git\nrun = make "all of it"\n';
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasLimit = spawnSync('prlimit', ['--version']).status === 0;
const needsPython: { skip?: string } = hasPython ? {} : { skip: 'there is no python3 on this machine' };

const lab = new Lab();
let server: TestServer;
let repos: ConfigRepoServer;
before(async () => {
  server = await TestServer.start();
  await server.restart(() => {
    cpSync(join(import.meta.dirname, '..', '..', 'examples', 'config-repo-plugin', EXAMPLE), folderOf(EXAMPLE), { recursive: true });
    // Starting Python may take long on a busy machine.
    const manifest = join(folderOf(EXAMPLE), 'plugin.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"seconds": 10', '"seconds": 300'));
    install('hang', 'setInterval(() => {}, 1000)', { limits: { seconds: 1 } });
    install('crash', 'console.error("no way"); process.exit(3)');
    install('loud', 'const line = "x".repeat(65536); const go = () => process.stdout.write(line, go); go()');
    install('hungry', '', {
      command: ['python3', '-c', 'bytearray(10 ** 9)'],
      limits: { seconds: 20, megabytes: 128 },
    });
    install('mute', '');
    install('other', 'console.log(JSON.stringify({ protocol: 2, pipelines: [] }))');
    install('wrong', 'console.log(JSON.stringify({ protocol: 1, pipelines: [{ line: 7, definition: { name: "p", stage: [] } }] }))');
    install('parent', PARENT, { limits: { seconds: 1 } });
    install('stuck', STUCK, { limits: { seconds: 300 } });
    install('missing', '', { command: ['./no-such-program'] });
    install('unusable', '', { capabilities: ['fly'] });
    mkdirSync(folderOf('empty'));
  });
  repos = new ConfigRepoServer(server);
});
after(async () => {
  await server.stop();
  lab.remove();
});

/** Starts another process, which must end with it, and writes its id to a file. */
const PARENT = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
writeFileSync('child.pid', String(child.pid));
setInterval(() => {}, 1000);
`;

/** Does not end the first time; afterwards it answers. */
const STUCK = `
import { existsSync, writeFileSync } from 'node:fs';
const task = { type: 'exec', command: 'make' };
const stages = [{ name: 's', jobs: [{ name: 'j', tasks: [task] }] }];
const definition = { name: 'later', group: 'g', materials: [{ type: 'git', url: 'https://scm.example.org/p.git' }], stages };
if (existsSync('started')) console.log(JSON.stringify({ protocol: 1, pipelines: [{ definition }] }));
else {
  writeFileSync('started', '');
  setInterval(() => {}, 1000);
}
`;

function folderOf(id: string): string {
  return join(server.dataDir, 'plugins', id);
}

function install(id: string, program: string, more: object = {}): void {
  mkdirSync(folderOf(id), { recursive: true });
  writeFileSync(join(folderOf(id), 'main.mjs'), program);
  const command = [process.execPath, 'main.mjs'];
  const manifest = { protocol: 1, id, version: '1', command, capabilities: ['parse'], patterns: { file_pattern: '**/*.x' }, ...more };
  writeFileSync(join(folderOf(id), 'plugin.json'), JSON.stringify(manifest));
}

async function origin(files: Readonly<Record<string, string>>): Promise<GitOrigin> {
  const made = await GitOrigin.make(lab.newPath('origin'));
  await made.commit('first', files);
  return made;
}

async function preflight(plugin: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const reply = accepted(await server.ask('POST', `/api/admin/config_repo_ops/preflight?pluginId=${plugin}`, await sentForm(files)));
  return reply.json.errors;
}

describe('the example', needsPython, () => {
  test('defines pipelines, and its mistakes have lines', async () => {
    const repository = await origin({ 'ci/a.pipelines.ini': INI, 'b.ini': 'not looked at' });
    await repos.add('ini', repository.path, { plugin_id: EXAMPLE });
    assert.deepEqual(await repos.definitions('ini'), ['shop/web'], JSON.stringify(await repos.parses('ini')));
    const { json } = accepted(await server.get('/api/admin/pipelines/web'));
    assert.deepEqual(json.stages[0].jobs[0].tasks[0].attributes.arguments, ['all of it']);
    await repository.commit('broken', { 'b.pipelines.ini': '\n[x]\nrun = make\n' });
    await repos.update('ini');
    const [{ outcome, errors }] = await repos.parses('ini');
    assert.equal(outcome, 'unparsed');
    assert.deepEqual(
      errors.map(({ file, line, entity, message, hint }: Record<string, unknown>) => [file, line, entity, message, hint]),
      [['b.pipelines.ini', 2, "pipeline 'x'", 'git is missing', 'Add a line such as git = …']],
    );
    assert.deepEqual(await repos.definitions('ini'), ['shop/web']);
  });

  test('reads again when a setting of the repo is another one', async () => {
    const repository = await origin({ 'a.pipelines.ini': INI.replace('group = shop\n', '').replaceAll('web', 'grouped') });
    const withGroup = (value: string) => ({ plugin_id: EXAMPLE, configuration: [{ key: 'default_group', value, is_secure: true }] });
    await repos.add('set', repository.path, withGroup('first'));
    assert.deepEqual(await repos.definitions('set'), ['first/grouped']);
    await repos.change('set', repository.path, withGroup('second'));
    assert.deepEqual(await repos.definitions('set'), ['second/grouped']);
    const [kept] = await rowsIn(server.dataDir, "select read_as from config_repo_files where repo = 'set'");
    assert.match(String(kept!.read_as), /^[\w-]{43}$/, 'settings that were marked as secret are not in clear on disk');
  });

  test('writes the format that it reads, and reports pipelines that it cannot write', async () => {
    const export_ = (name: string) => server.get(`/api/admin/export/pipelines/${name}?plugin_id=${EXAMPLE}`);
    const { text, headers } = accepted(await export_('web'));
    // The branch is the default one, which a file need not name.
    assert.equal(text.replace('branch = master\n', ''), INI.replace('"all of it"', "'all of it'"));
    assert.equal(headers.get('content-disposition'), 'attachment; filename="web.pipelines.ini"');
    assert.deepEqual(await preflight(EXAMPLE, { 'x.pipelines.ini': text.replace('[web]', '[web2]') }), []);
    const repository = await origin({ 'a.gocd.yaml': yaml('g', { after: 'web' }).replace('stage: s', 'stage: run') });
    await repos.add('yaml', repository.path);
    failed(await export_('after'), 422, 'Only pipelines of one git material and one command can be written as INI.');
    // Entries of an archive are not compressed.
    const { text: archive } = accepted(await server.get(`/api/admin/export?plugin_id=${EXAMPLE}`));
    assert.ok(archive.includes('pipelines/shop/web.pipelines.ini') && archive.includes(text));
    assert.match(archive, /not-exported\.txt/);
    assert.match(archive, /pipeline after: Only pipelines of one git material/);
  });

  test('is among the plugins, as one that did not come with the server', async () => {
    const { json } = accepted(await server.get(`/api/admin/plugin_info/${EXAMPLE}`));
    assert.deepEqual([json.bundled_plugin, json.about.version], [false, '1.0.0']);
    assert.deepEqual(json.extensions[0].capabilities, {
      supports_parse_content: true,
      supports_list_config_files: true,
      supports_pipeline_export: true,
    });
  });
});

describe('a plugin that', () => {
  for (const [id, what, message] of [
    ['hang', 'does not end', /^The plugin hang was stopped, because it took longer than 1 second\.$/],
    ['crash', 'fails', /^The plugin crash ended with status 3: no way$/],
    ['loud', 'says too much', /^The plugin loud was stopped, because its answer has more than 2 MB\.$/],
    ['mute', 'says nothing', /^The answer of the plugin is empty$/],
    ['other', 'speaks another protocol', /^The answer of the plugin has to name protocol 1\.$/],
    ['missing', 'cannot be started', /^The plugin missing (cannot be started|ended with status)/],
  ] as const) {
    test(`${what} is reported`, async () => {
      const [error = ''] = await preflight(id, { 'a.x': 'anything' });
      const [location, reported] = error.split('\n  - ');
      assert.equal(location, 'a.x:');
      assert.match(reported!, message);
    });
  }

  test(
    'wants too much memory is ended',
    needsPython.skip || !hasLimit ? { skip: 'there is no python3 or no prlimit on this machine' } : {},
    async () => {
      const [error = ''] = await preflight('hungry', { 'a.x': 'anything' });
      assert.match(error, /The plugin hungry ended with status 1: (?:.*\n)*.*MemoryError$/);
    },
  );

  test('gives definitions that are wrong: they are reported at the line that it names', async () => {
    const repository = await origin({ 'a.x': 'x' });
    await repos.add('wrong', repository.path, { plugin_id: 'wrong' });
    const [{ errors }] = await repos.parses('wrong');
    assert.ok(errors.length > 0);
    assert.deepEqual([...new Set(errors.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`))], ['a.x:7']);
  });

  test('hangs keeps no other repo from being read, and is ended with all processes it has started', async () => {
    const slow = await origin(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.x`, name])));
    const fine = await origin({ 'a.gocd.yaml': yaml('g', { beside: undefined }) });
    const adding = repos.add('slow', slow.path, { plugin_id: 'parent' });
    await repos.add('fine', fine.path);
    assert.deepEqual(await repos.definitions('fine'), ['g/beside']);
    await adding;
    const [{ outcome, errors }] = await repos.parses('slow');
    assert.equal(outcome, 'unparsed');
    assert.equal(errors.length, 6);
    const child = Number(readFileSync(join(folderOf('parent'), 'child.pid'), 'utf8'));
    await until('the end of the process that the plugin started', async () => !isAlive(child));
  });

  test('can only read is not asked to write', async () => {
    failed(await server.get('/api/admin/export?plugin_id=crash'), 422, 'Plugin `crash` does not support pipeline config export.');
  });

  test('is sent a file of another name is not asked', async () => {
    assert.deepEqual(await preflight('crash', { 'a.y': 'x' }), ['a.y:\n  - File does not match a pattern of the plugin']);
  });
});

test('a server that is stopped does not wait for a plugin, and takes the repo up again when it is back', async () => {
  const repository = await origin({ 'a.x': 'x' });
  accepted(await server.post('/api/admin/config_repos', { ...repos.body('stuck', repository.path), plugin_id: 'stuck' }));
  await until('the start of the plugin', async () => existsSync(join(folderOf('stuck'), 'started')));
  await server.restart();
  await repos.rest('stuck');
  assert.deepEqual(await repos.definitions('stuck'), ['g/later']);
  assert.deepEqual(
    (await repos.parses('stuck')).map(({ outcome }) => outcome),
    ['published'],
  );
});

test('folders that hold no usable plugin are reported, and the rest works', async () => {
  const messages = (await repos.health()).filter(({ message }) => message.startsWith('The plugin '));
  assert.deepEqual(
    messages.map(({ message, detail }) => [message, detail]),
    [
      ['The plugin empty cannot be used', 'plugins/empty/plugin.json: It is missing.'],
      ['The plugin unusable cannot be used', 'plugins/unusable/plugin.json: capabilities has fly; possible are parse, export.'],
    ],
  );
});
