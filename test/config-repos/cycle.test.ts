// The update cycle against real repositories: pushed definitions come into force, broken ones do not, and one repo never hurts another.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { HgOrigin } from '../materials/support/hg-origin.ts';
import { Lab } from '../materials/support/polling.ts';
import { SvnOrigin } from '../materials/support/svn-origin.ts';
import { referenceCipherText } from '../support/configuration/reference-cipher-text.ts';
import { webhookHeaders } from '../support/configuration/webhook-secret.ts';
import { isStored } from '../support/database/sql.ts';
import { accepted, addRole, addUser } from '../support/requests/callers.ts';
import { failed } from '../support/requests/replies.ts';
import { TestServer } from '../support/server/server.ts';
import { ALLOW_ALL, CONFIRM, ConfigRepoServer, PATH, until, yaml } from './support/config-repo-server.ts';

const lab = new Lab();
let server: TestServer;
let repos: ConfigRepoServer;
let origin: GitOrigin;
before(async () => {
  server = await TestServer.start();
  repos = new ConfigRepoServer(server);
});
after(async () => {
  await server.stop();
  lab.remove();
});
beforeEach(async () => {
  origin = await GitOrigin.make(lab.newPath('origin'));
});
afterEach(async () => {
  for (const { id } of accepted(await server.get(PATH)).json._embedded.config_repos) await repos.remove(id);
  assert.deepEqual(
    server.lines.filter((line) => line.includes('"level":50')),
    [],
  );
});

const add = (id = 'one', more = {}) => repos.add(id, origin.path, more);

/** The definitions of a repo are there a moment before its record says so. */
const published = (id: string) => until(`the record of ${id}`, async () => (await repos.parses(id))[0].outcome === 'published');

describe('a repo', () => {
  test('a repo that was added is in force when its update has ended', async () => {
    const revision = await origin.commit('first', { 'ci/a.gocd.yaml': yaml('team', { build: undefined, deploy: 'build' }) });
    accepted(await server.post(PATH, repos.body('one', origin.path)));
    assert.equal(await repos.isUpdating('one'), true, 'from the moment it is saved');
    await repos.rest('one');
    assert.deepEqual(await repos.definitions('one'), ['team/build', 'team/deploy']);
    const pipeline = accepted(await server.get('/api/admin/pipelines/deploy')).json;
    assert.deepEqual([pipeline.origin.type, pipeline.origin.id], ['config_repo', 'one']);
    const [parse, ...others] = await repos.parses('one');
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...parse, id: 0, time: '', duration_ms: 0 },
      { id: 0, revision, time: '', outcome: 'published', files_matched: 1, files_parsed: 1, duration_ms: 0, errors: [], warnings: [] },
    );
    const { parse_info: info, material_update_in_progress: isUpdating } = await repos.listed('one');
    assert.equal(isUpdating, false);
    assert.deepEqual([info.latest_parsed_modification.revision, info.good_modification.revision, info.error], [revision, revision, null]);
    assert.equal(info.good_modification.comment, 'first');
  });

  test('follows pushes, reading only changed files', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }), 'b.gocd.yaml': yaml('g', { b: undefined }) });
    await add();
    const { revision } = (await server.get('/api/admin/pipelines/a')).json;
    await origin.commit('second', { 'b.gocd.yaml': yaml('g', { b: undefined, c: 'a' }), 'read-me.txt': 'hello' });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/a', 'g/b', 'g/c']);
    assert.equal((await server.get('/api/admin/pipelines/a')).json.revision, revision);
    await origin.run('rm', '--quiet', 'a.gocd.yaml');
    await origin.commit('third', { 'b.gocd.yaml': yaml('h', { b: undefined }) });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['h/b']);
    assert.deepEqual(
      (await repos.parses('one')).map(({ files_matched, files_parsed }) => [files_matched, files_parsed]),
      [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    );
  });

  test('keeps the last good revision when a file is broken, and recovers', async () => {
    const good = await origin.commit('good', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await add();
    const bad = await origin.commit('bad', { 'b.gocd.yaml': 'pipelines:\n  b:\n    group: [g\n' });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    const [{ outcome, errors }] = await repos.parses('one');
    assert.equal(outcome, 'unparsed');
    assert.equal(errors[0].file, 'b.gocd.yaml');
    assert.ok(errors[0].line >= 3, JSON.stringify(errors));
    const { parse_info: info } = await repos.listed('one');
    assert.deepEqual([info.latest_parsed_modification.revision, info.good_modification.revision], [bad, good]);
    const [problem] = await repos.health();
    assert.equal(
      problem!.message,
      `Parsing configuration repository using Plugin yaml.config.plugin failed for material: URL: ${origin.path}, Branch: main`,
    );
    assert.equal(problem!.level, 'ERROR');
    assert.equal(problem!.detail, info.error);
    assert.match(problem!.detail, /^b\.gocd\.yaml;\n1\. /);
    await origin.commit('fixed', { 'b.gocd.yaml': yaml('g', { b: undefined }) });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/a', 'g/b']);
    assert.deepEqual(await repos.health(), []);
    assert.equal((await repos.listed('one')).parse_info.error, null);
  });

  test('shows in which file and line each definition stands, as long as that is in force', async () => {
    const file = (lines: string) => `${lines}${yaml('g', { b: undefined })}environments:\n  qa: {}\n`;
    const revision = await origin.commit('two', { 'a.gocd.yaml': yaml('g', { a: undefined }), 'b.gocd.yaml': file('') });
    await add();
    const sources = async (query = '') => accepted(await server.get(`/api/admin/config_repos/one/sources${query}`)).json;
    const first = await sources();
    const lineOf = (text: string, content: string) => content.split('\n').findIndex((line) => line.trim().startsWith(text)) + 1;
    const [a, b] = [lineOf('a:', yaml('g', { a: undefined })), lineOf('b:', file(''))];
    assert.deepEqual(first, {
      revision,
      pipelines: [
        { name: 'a', file: 'a.gocd.yaml', line: a },
        { name: 'b', file: 'b.gocd.yaml', line: b },
      ],
      environments: [{ name: 'qa', file: 'b.gocd.yaml', line: lineOf('qa:', file('')) }],
    });
    assert.deepEqual(await sources('?pipeline=A'), { ...first, pipelines: [first.pipelines[0]], environments: [] });
    const moved = await origin.commit('moved', { 'b.gocd.yaml': file('# one\n# two\n') });
    await repos.update('one');
    const after = await sources('?pipeline=b');
    assert.deepEqual([after.revision, after.pipelines[0].line], [moved, b + 2]);
    await origin.commit('broken', { 'b.gocd.yaml': file('# one\n').replace('pipelines:', 'pipelnes:') });
    await repos.update('one');
    assert.deepEqual(await sources('?pipeline=b'), {
      revision: moved,
      pipelines: [{ name: 'b', file: 'b.gocd.yaml', line: null }],
      environments: [],
    });
  });

  test('a repo with secrets of another server comes into force when the key of that server is imported', async () => {
    const key = '5f'.repeat(16);
    const secret = `environments:\n  qa:\n    secure_variables: { A: "${referenceCipherText('hush', key)}" }\n`;
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }, secret) });
    await add();
    assert.equal((await repos.parses('one'))[0].outcome, 'refused');
    const headers = { 'Content-Type': 'text/xml', 'X-Svc-Cipher-Key': key };
    const imported = await server.ask('POST', '/api/admin/config/import', { text: '<cruise schemaVersion="139" />', headers });
    assert.deepEqual([imported.status, imported.headers.get('x-svc-revision')], [200, null]);
    await until('the publication', async () => (await repos.definitions('one')).includes('qa'));
    await published('one');
    const before = (await server.get('/api/admin/environments/qa')).etag;
    await origin.commit('the same', { 'a.gocd.yaml': `${yaml('g', { a: undefined }, secret)}\n` });
    await repos.update('one');
    assert.equal((await server.get('/api/admin/environments/qa')).etag, before);
  });

  test('a repo without files to read is reported', async () => {
    await origin.commit('first', { 'a.yml': 'x' });
    await add('one', { configuration: [{ key: 'file_pattern', value: 'ci/*.yaml' }] });
    assert.equal((await repos.parses('one'))[0].outcome, 'no_files');
    const [problem] = await repos.health();
    assert.deepEqual(
      [problem!.level, problem!.message, problem!.detail],
      ['WARNING', "No file of the config repo 'one' is read", 'No file matches ci/*.yaml.'],
    );
    assert.deepEqual(await repos.definitions('one'), []);
    await repos.change('one', origin.path, { configuration: [{ key: 'file_pattern', value: '*.yml' }] });
    assert.deepEqual((await repos.parses('one'))[0].files_matched, 1);
  });

  test('a repo that cannot be fetched shows why, and is read when it can', async () => {
    const path = lab.newPath('later');
    await repos.add('one', path);
    const { parse_info: info } = await repos.listed('one');
    assert.match(
      info.error,
      /^MODIFICATION CHECK FAILED FOR MATERIAL: URL: .*\nNO PIPELINES AFFECTED, MAY ONLY AFFECT CONFIGURATION REPOSITORIES\.\n/,
    );
    assert.equal(info.latest_parsed_modification, null);
    const later = await GitOrigin.make(path);
    await later.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
  });

  test('a repo whose plugin is not installed is reported', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await add('one', { plugin_id: 'none.config.plugin' });
    const { error } = (await repos.listed('one')).parse_info;
    assert.equal(error, "Plugin 'none.config.plugin' is not installed.");
    const [{ outcome, errors }] = await repos.parses('one');
    assert.deepEqual([outcome, errors.length, errors[0].message], ['unparsed', 1, error]);
    assert.match(errors[0].hint, /^Install the plugin/);
    assert.ok(
      (await repos.health()).some(
        ({ message }) =>
          message === `Failed to obtain configuration plugin 'none.config.plugin' for material: URL: ${origin.path}, Branch: main`,
      ),
    );
    await repos.change('one', origin.path);
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    await repos.change('one', origin.path, { plugin_id: 'none.config.plugin' });
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    const details = (await repos.health()).map(({ detail }) => detail);
    assert.ok(
      details.includes("Config repo 'one' is not read until the plugin is installed. What it defined before that stays in force."),
      details.join(),
    );
  });

  test('a repo with a part of an environment adds to the history and blame of that environment', async () => {
    const environments = 'environments:\n  qa:\n    pipelines: [a]\n';
    await origin.commit('first', { 'a.gocd.yaml': `${yaml('g', { a: undefined })}\n${environments}` });
    await add();
    for (const what of ['history', 'blame']) {
      const { _links: links } = accepted(await server.get(`/api/admin/config/entities/environments/qa/${what}`)).json;
      const path = `/api/admin/config/entities/environment_parts/one%2Fqa%2Fa.gocd.yaml/${what}`;
      assert.ok(links['part:one/qa/a.gocd.yaml'].href.endsWith(path), links['part:one/qa/a.gocd.yaml'].href);
      assert.match(accepted(await server.get(path)).text, /pipelines.*"a"/);
    }
  });

  test('a repo that gets an address without a repository keeps its definitions in force', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await add();
    await repos.change('one', lab.newPath('nowhere'));
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    const [{ outcome, errors }] = await repos.parses('one');
    assert.equal(outcome, 'unread');
    assert.match(errors[0].hint, /^Check the address/);
  });

  test('a repo that was never parsed has no definitions, and an empty parse state', async () => {
    assert.equal(accepted(await server.post(PATH, repos.body('one', origin.path))).status, 200);
    const reply = accepted(await server.get(`${PATH}/one/definitions`));
    assert.equal(reply.text, '{"environments":[],"groups":[]}');
    assert.equal((await server.get(`${PATH}/one/definitions`, { headers: { 'If-None-Match': reply.etag! } })).status, 304);
  });

  test('is deleted with all stored data', async () => {
    await origin.commit('first', { 'a.gocd.yaml': 'nonsense: true' });
    await add();
    assert.equal((await repos.health()).length, 1);
    await repos.remove('one');
    assert.deepEqual(await repos.health(), []);
    await origin.commit('second', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await add();
    assert.equal((await repos.parses('one')).length, 1);
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
  });
});

test('the dry run of deleting a repo only names entities that its administrator may not see', async () => {
  const secretive = '    environment_variables: { WHERE: somewhere-secret }\n';
  await origin.commit('first', { 'a.gocd.yaml': yaml('g', { t1: undefined }) });
  await add('team1');
  const other = await GitOrigin.make(lab.newPath('other-origin'));
  await other.commit('first', { 'b.gocd.yaml': yaml('h', { dep1: 't1' }, secretive) });
  await repos.add('dep', other.path);
  const as = await addUser(server, 'bob');
  await addRole(server, 'team', ['bob'], 'allow administer config_repo team*');
  assert.equal((await server.get('/api/admin/pipelines/dep1', { as })).status, 403);
  const tried = `${PATH}/team1?dry_run=true`;
  assert.match(accepted(await server.delete(tried)).text, /somewhere-secret/);
  const { text, json } = accepted(await server.delete(tried, { as }));
  for (const hidden of ['somewhere-secret', other.path, 'scm.example.org', 'make']) assert.ok(!text.includes(hidden), text);
  const changes = json._plan.changes.map((change: { resource: string; id: string; is_hidden?: boolean }) =>
    [change.resource, change.id, change.is_hidden ? 'hidden' : 'shown'].join(' '),
  );
  assert.deepEqual(changes.slice(0, 1), ['config_repos team1 shown']);
  for (const one of ['pipelines t1 hidden', 'pipelines dep1 hidden']) assert.ok(changes.includes(one), changes.join());
});

describe('a push that does not fit', () => {
  test('is reported with its line, and comes into force when the configuration allows it', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: 'missing' }) });
    await add();
    const [{ outcome, errors }] = await repos.parses('one');
    assert.equal(outcome, 'refused');
    assert.equal(errors[0].file, 'a.gocd.yaml');
    assert.equal(errors[0].entity, "pipeline 'a'");
    assert.ok(errors[0].line > 3);
    const source = `${origin.path} at revision ${await origin.tip()}`;
    const [problem] = await repos.health();
    assert.deepEqual(problem!.message, 'Invalid Merged Configuration');
    assert.equal(
      problem!.detail,
      `Number of errors: 1+\n1. Pipeline with name 'missing' does not exist, it is defined as a dependency for pipeline 'a' (${source})\n- For Config Repo: ${source}`,
    );
    assert.equal((await repos.listed('one')).parse_info.error, `INVALID MERGED CONFIGURATION\n${problem!.detail}`);
    const second = await GitOrigin.make(lab.newPath('second'));
    await second.commit('first', { 'm.gocd.yaml': yaml('g', { missing: undefined }) });
    await repos.add('two', second.path);
    await until('the other repo', async () => (await repos.definitions('one')).length > 0);
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    await published('one');
    assert.deepEqual(await repos.health(), []);
    const [again] = await repos.parses('one');
    assert.deepEqual([again.outcome, again.files_parsed], ['published', 0]);
  });
});

describe('rules', () => {
  const allow = (type: string, resource: string) => ({ directive: 'allow', action: 'refer', type, resource });

  test('rules that become narrower withdraw the definitions they forbid, and their dependents in other repos', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('team', { up: undefined }) });
    await add();
    const second = await GitOrigin.make(lab.newPath('second'));
    await second.commit('first', { 'b.gocd.yaml': yaml('other', { down: 'up' }) });
    await repos.add('two', second.path);
    assert.deepEqual(await repos.definitions('two'), ['other/down']);
    await repos.change('one', origin.path, { rules: [allow('pipeline_group', 'else*')] });
    assert.deepEqual(await repos.definitions('one'), []);
    const [{ errors }] = await repos.parses('one');
    assert.equal(errors[0].message, "Not allowed to refer to pipeline group 'team'. Check the 'Rules' of this config repository.");
    assert.match(errors[0].hint, /^Allow it in the rules/);
    const { revisions } = accepted(await server.get('/api/admin/config/entities/pipelines/up/history')).json._embedded;
    assert.match(revisions[0].reason, /rules no longer allow it to refer to pipeline group 'team': .* config repo two \(pipeline down\)$/);
    await until('the errors of the other', async () => (await repos.parses('two'))[0].outcome === 'refused');
    assert.deepEqual(await repos.definitions('two'), []);
    await repos.change('one', origin.path, { rules: ALLOW_ALL });
    assert.deepEqual(await repos.definitions('one'), ['team/up']);
    await until('the other', async () => (await repos.definitions('two')).length === 1);
  });

  test('rules that do not forbid the definitions in force leave them there when a push breaks the rules', async () => {
    await origin.commit('first', { 'a.gocd.yaml': yaml('team', { a: undefined }) });
    await add('one', { rules: [allow('pipeline_group', 'team')] });
    await origin.commit('second', { 'a.gocd.yaml': yaml('elsewhere', { a: undefined }) });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['team/a']);
    assert.equal((await repos.parses('one'))[0].outcome, 'refused');
  });
});

describe('a request for an update', () => {
  test('needs to be confirmed, and can be repeated after its end', async () => {
    await origin.commit('first');
    await add();
    failed(await server.ask('POST', `${PATH}/one/trigger_update`), 400, "Missing required header 'X-Svc-Confirm' with value 'true'");
    failed(await server.ask('POST', `${PATH}/none/trigger_update`, CONFIRM), 404, "Config repo with id 'none' was not found!");
    const first = await repos.trigger('one');
    assert.deepEqual([first.status, first.text], [201, '{"message":"OK"}']);
    await repos.rest('one');
    assert.equal((await repos.trigger('one')).status, 201);
    await repos.rest('one');
  });
});

test('a repository that does not answer keeps no other repo waiting', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const { port } = silent.address() as AddressInfo;
    accepted(await server.post(PATH, repos.body('hanging', `http://127.0.0.1:${port}/a.git`)));
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    await add();
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
    assert.equal(await repos.isUpdating('hanging'), true);
    failed(await repos.trigger('hanging'), 409, 'Update already in progress.');
    await repos.remove('hanging');
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test('maintenance mode begins no update, and shows none as under way', async () => {
  await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
  await add();
  assert.equal((await server.ask('POST', '/api/admin/maintenance_mode/enable', CONFIRM)).status, 204);
  try {
    assert.equal((await repos.trigger('one')).status, 503);
    assert.equal(await repos.isUpdating('one'), false);
    assert.deepEqual(await repos.definitions('one'), ['g/a']);
  } finally {
    assert.equal((await server.ask('POST', '/api/admin/maintenance_mode/disable', CONFIRM)).status, 204);
  }
  await repos.update('one');
});

test('a restart serves the definitions in force without the repository, and goes on where it was', async () => {
  await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }), 'b.gocd.yaml': yaml('g', { b: undefined }) });
  await add();
  await origin.commit('second', { 'a.gocd.yaml': 'nonsense: 1' });
  await repos.update('one');
  const [before, reported] = [await repos.parses('one'), await repos.health()];
  const { revision } = (await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0];
  const elsewhere = `${origin.path}-elsewhere`;
  await server.restart(() => renameSync(origin.path, elsewhere));
  assert.deepEqual(await repos.definitions('one'), ['g/a', 'g/b']);
  assert.deepEqual(
    (await repos.health()).map(({ message, detail }) => ({ message, detail })),
    reported.map(({ message, detail }) => ({ message, detail })),
  );
  await repos.rest('one');
  assert.deepEqual(await repos.parses('one'), before);
  assert.equal((await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision, revision);
  renameSync(elsewhere, origin.path);
  await origin.commit('third', { 'a.gocd.yaml': yaml('g', { c: undefined }) });
  await repos.update('one');
  assert.deepEqual((await repos.definitions('one')).toSorted(), ['g/b', 'g/c']);
  assert.equal((await repos.parses('one'))[0].files_parsed, 1);
});

test('contents of files are not in clear on disk, for people write passwords into them', async () => {
  const secret = 'pw-that-is-in-a-file';
  const text = yaml('g', { a: undefined }).replace('https://scm', `https://bob:${secret}@scm`);
  await origin.commit('first', { 'a.gocd.yaml': text });
  await add();
  assert.deepEqual(await repos.definitions('one'), ['g/a']);
  assert.ok(!(await isStored(server.dataDir, secret)));
  assert.ok(!server.log.includes(secret));
});

test('the attempts are listed page by page', async () => {
  for (const name of ['a', 'b', 'c']) {
    await origin.commit(name, { 'a.gocd.yaml': yaml('g', { [name]: undefined }) });
    await (name === 'a' ? add() : repos.update('one'));
  }
  const first = accepted(await server.get(`${PATH}/one/parses?page_size=2`)).json;
  assert.equal(first._embedded.parses.length, 2);
  const { json: second } = accepted(await server.get(first._links.next.href.slice(server.url.length)));
  assert.equal(second._embedded.parses.length, 1);
  assert.equal(second._links.next, undefined);
  assert.equal((await server.get(`${PATH}/one/parses?page_size=x`)).status, 400);
});

test('the webhook of a hosting service updates the repo', async () => {
  await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
  await add();
  await origin.commit('second', { 'a.gocd.yaml': yaml('g', { b: undefined }) });
  const hook = '/api/webhooks/github/config_repos/one';
  const text = JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: 'a/b', html_url: 'https://github.example.org/a/b' } });
  const reply = await server.ask('POST', hook, { text, headers: await webhookHeaders(server, hook, text), as: '' });
  assert.equal(reply.status, 202, reply.text);
  await until('the push', async () => (await repos.definitions('one')).join() === 'g/b');
  await repos.rest('one');
});

test('a polled repo follows pushes without a webhook', async () => {
  const polling = await TestServer.start({ 'material-interval': '1' });
  try {
    const polled = new ConfigRepoServer(polling);
    await origin.commit('first', { 'a.gocd.yaml': yaml('g', { a: undefined }) });
    const { material, ...rest } = polled.body('one', origin.path);
    accepted(await polling.post(PATH, { ...rest, material: { ...material, attributes: { ...material.attributes, auto_update: true } } }));
    await until('the first revision', async () => (await polled.definitions('one')).join() === 'g/a');
    await origin.commit('second', { 'a.gocd.yaml': yaml('g', { b: undefined }) });
    await until('the second revision', async () => (await polled.definitions('one')).join() === 'g/b');
  } finally {
    await polling.stop();
  }
});

test('a hostile file is an error of its repo, and the server goes on', async () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghij'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`),
  ];
  await origin.commit('first', {
    'bomb.gocd.yaml': `common:\n  ${bomb.join('\n  ')}\npipelines: *j\n`,
    'deep.gocd.yaml': `pipelines: ${'['.repeat(50_000)}`,
    'binary.gocd.yaml': '\0\0\0',
    'large.gocd.yaml': `# ${'x'.repeat(6 * 1024 * 1024)}`,
  });
  await add();
  const [{ outcome, errors }] = await repos.parses('one');
  assert.equal(outcome, 'unparsed');
  assert.deepEqual([...new Set(errors.map(({ file }: { file: string }) => file))].toSorted(), [
    'binary.gocd.yaml',
    'bomb.gocd.yaml',
    'deep.gocd.yaml',
    'large.gocd.yaml',
  ]);
  assert.deepEqual(await repos.definitions('one'), []);
});

/** A repository of either type, which is changed by writing files. */
interface Origin {
  readonly url: string;
  commit(files: Readonly<Record<string, string>>): Promise<unknown>;
}

async function hgOrigin(): Promise<Origin> {
  const there = await HgOrigin.make(lab.newPath('hg'));
  return { url: there.path, commit: (files) => there.commit('next', files) };
}

async function svnOrigin(): Promise<Origin> {
  const there = await SvnOrigin.make(lab.newPath('svn'));
  const known = new Set<string>();
  let revision = 1;
  return {
    url: there.url,
    commit: async (files) => {
      const added: Record<string, string | null> = {};
      const changed: Record<string, string> = {};
      for (const [path, text] of Object.entries(files)) {
        const [folder, file] = path.split('/');
        if (file && !known.has(folder!)) added[folder!] = null;
        (known.has(path) ? changed : added)[path] = text;
        known.add(path).add(folder!);
      }
      there.load([{ message: 'next', added, changed }], revision++);
    },
  };
}

for (const [name, type, make] of [
  ['Mercurial', 'hg', hgOrigin],
  ['Subversion', 'svn', svnOrigin],
] as const) {
  test(`${name} repositories`, async () => {
    const there = await make();
    await there.commit({ 'ci/a.gocd.yaml': yaml('g', { a: undefined }), 'b.gocd.yaml': yaml('g', { b: undefined }) });
    await repos.add('one', there.url, { type });
    assert.deepEqual(await repos.definitions('one'), ['g/b', 'g/a']);
    await there.commit({ 'ci/a.gocd.yaml': yaml('g', { a: undefined, c: 'b' }) });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/b', 'g/a', 'g/c']);
    const [{ files_matched: matched, files_parsed: parsed }] = await repos.parses('one');
    assert.deepEqual([matched, parsed], [2, 1]);
    await there.commit({ 'ci/a.gocd.yaml': 'pipelines: 3' });
    await repos.update('one');
    assert.deepEqual(await repos.definitions('one'), ['g/b', 'g/a', 'g/c']);
    assert.equal((await repos.parses('one'))[0].outcome, 'unparsed');
  });
}
