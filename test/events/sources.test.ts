// The events of everything that happens on a real server, and never a secret in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fingerprintOf } from '../../src/materials/catalogue/fingerprint.ts';
import { registry } from '../../src/resources/index.ts';
import { OTHER_SUBJECTS } from '../../src/shape/event-types.ts';
import { kindsOf, resourceName } from '../../src/shape/resource.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { kinds } from '../support/configuration/samples.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { rowsIn } from '../support/database/sql.ts';
import { accepted, addUser, givePassword, startServer, tokenOf } from '../support/requests/callers.ts';
import { askForBackup, CONFIRM, makeBackup } from '../support/server/backup.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { eventually } from './eventually.ts';

const EVENTS = '/api/admin/events';

// biome-ignore lint/suspicious/noExplicitAny: events have every shape
type Event = any;

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

async function newest(): Promise<number> {
  return (await server.get(`${EVENTS}?page_size=1`)).json._embedded.events[0].number;
}

/** Waits for so many events of these types after a number. */
async function eventsAfter(after: number, types: string, count: number): Promise<Event[]> {
  return eventually(
    () => eventsNow(after, types),
    (found) => found.length >= count,
  );
}

async function eventsNow(after: number, types: string): Promise<Event[]> {
  return (await server.get(`${EVENTS}?after=${after}&type=${types}`)).json._embedded.events;
}

const facts = ({ type, actor, about, data }: Event) => ({ type, actor, about, data });

describe('a change of the configuration', () => {
  test('is an event with revision, actor, token, address, reason and the touched entities', async () => {
    const before = await newest();
    const bearer = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
    const reply = await server.post(
      '/api/admin/environments',
      { name: 'Prod' },
      { as: bearer, headers: { 'X-Svc-Reason': 'für das Release' } },
    );
    const [event] = await eventsAfter(before, 'configuration.changed', 1);
    assert.equal(event.actor, 'admin');
    assert.deepEqual(event.about, [{ resource: 'environments', id: 'Prod', operation: 'create', etag: reply.etag!.slice(1, -1) }]);
    const { token, changes_digest: digest, ...data } = event.data;
    assert.deepEqual(data, {
      revision: Number(reply.headers.get('x-svc-revision')),
      reason: 'für das Release',
      address: '127.0.0.1',
      touched: { environments: 1 },
    });
    assert.ok(token > 0);
    assert.match(digest, /^[0-9a-f]{64}$/);
    await server.delete('/api/admin/environments/prod');
    const [, deleted] = await eventsAfter(before, 'configuration.changed', 2);
    assert.deepEqual(deleted.about, [{ resource: 'environments', id: 'Prod', operation: 'delete' }]);
  });

  test('is no event if it is refused, a dry run, or changes nothing', async () => {
    accepted(await server.post('/api/admin/environments', { name: 'same' }));
    const before = await newest();
    assert.equal((await server.post('/api/admin/environments', { name: 'same' })).status, 422);
    accepted(await server.post('/api/admin/environments?dry_run=true', { name: 'tried' }));
    accepted(await server.put('/api/admin/environments/same', { name: 'same' }, '*'));
    assert.equal(await newest(), before);
  });

  test('is written in one transaction with its event, also among concurrent writes', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => accepted(await server.post('/api/admin/environments', { name: `t-${n}` }))),
    );
    const revisions = await rowsIn(server.dataDir, 'select revision from revisions order by revision');
    const rows = await rowsIn(server.dataDir, "select body from events where body like '%configuration.changed%' order by number");
    assert.deepEqual(
      rows.map(({ body }) => JSON.parse(String(body)).data.revision),
      revisions.map(({ revision }) => revision),
    );
  });
});

describe('people', () => {
  test('a failed login names a known user, and never an unknown name', async () => {
    const before = await newest();
    await addUser(server, 'jez');
    for (const as of [basic('JEZ', 'wrong'), basic('my-password-by-mistake', 'x'), 'Bearer 0123456789012345678901234567890123456789'])
      assert.equal((await server.get('/api/version', { as })).status, 401);
    assert.equal((await server.get('/api/version', { as: '' })).status, 401);
    const events = await eventsAfter(before, 'login.failed', 3);
    const address = '127.0.0.1';
    assert.deepEqual(events.map(facts), [
      { type: 'login.failed', actor: null, about: [{ resource: 'users', id: 'jez' }], data: { address, by: 'password', omitted: 0 } },
      { type: 'login.failed', actor: null, about: [], data: { address, by: 'password', omitted: 0 } },
      { type: 'login.failed', actor: null, about: [], data: { address, by: 'token', omitted: 0 } },
    ]);
    assert.doesNotMatch(JSON.stringify(events), /by-mistake|wrong/);
  });

  test('a client that guesses all day does not fill the disk', async () => {
    const before = await newest();
    for (let n = 0; n < 200; n++) await server.get('/api/version', { as: `Bearer ${String(n).padStart(40, '0')}` });
    accepted(await server.post('/api/admin/environments', { name: 'after-the-guessing' }));
    const events = await eventsAfter(before, 'login.failed', 1);
    assert.ok(events.length <= 60, `${events.length} events`);
  });

  test('created and revoked tokens are events, one by one and with their user', async () => {
    const before = await newest();
    const as = await addUser(server, 'tess');
    const { json } = accepted(await server.post('/api/current_user/access_tokens', { description: 'my own' }, { as }));
    await tokenOf(server, as);
    accepted(await server.post(`/api/current_user/access_tokens/${json.id}/revoke`, { revoke_cause: 'not needed' }, { as }));
    accepted(await server.patch('/api/users/tess', { enabled: false }));
    accepted(await server.delete('/api/users/tess'));
    const events = await eventsAfter(before, 'access_token.*', 4);
    assert.deepEqual(
      events.map(({ type, actor, data }: Event) => [type, actor, data.login_name]),
      [
        ['access_token.created', 'tess', 'tess'],
        ['access_token.created', 'tess', 'tess'],
        ['access_token.revoked', 'tess', 'tess'],
        ['access_token.revoked', 'admin', 'tess'],
      ],
    );
    assert.deepEqual(events[0].about, [{ resource: 'access_tokens', id: String(json.id) }]);
    assert.equal(events[2].data.cause, 'not needed');
    assert.ok(!JSON.stringify(events).includes(json.token));
  });
});

describe('the server', () => {
  test('a backup is an event at its start and at its end', async () => {
    const before = await newest();
    const { path } = await makeBackup(server);
    const [started, ended] = await eventsAfter(before, 'backup.*', 2);
    assert.deepEqual([started.type, started.actor, started.data], ['backup.started', 'admin', { via: 'USER' }]);
    assert.deepEqual([ended.type, ended.data.status, ended.data.path], ['backup.ended', 'COMPLETED', path]);
    assert.deepEqual(ended.about, started.about);
  });

  test('a backup that is cut off has an event at its end, too', async () => {
    const before = await newest();
    await askForBackup(server);
    await eventsAfter(before, 'backup.started', 1);
    await server.restart();
    const [, ended] = await eventsAfter(before, 'backup.*', 2);
    assert.match(ended.data.status, /^(ABORTED|COMPLETED)$/);
  });

  test('maintenance mode is an event when it is switched on and off', async () => {
    const before = await newest();
    assert.equal((await server.post('/api/admin/maintenance_mode/enable', { reason: 'a new disk' })).status, 204);
    assert.equal((await server.ask('POST', '/api/admin/maintenance_mode/disable', CONFIRM)).status, 204);
    const events = await eventsAfter(before, 'maintenance_mode.*', 2);
    assert.deepEqual(events.map(facts), [
      { type: 'maintenance_mode.enabled', actor: 'admin', about: [], data: { reason: 'a new disk', until: null } },
      { type: 'maintenance_mode.disabled', actor: 'admin', about: [], data: {} },
    ]);
  });

  test('a material that fails is an event once, and one that works again is another', async () => {
    const before = await newest();
    const folder = mkdtempSync(join(tmpdir(), 'slipway-origin-'));
    try {
      const url = join(folder, 'repository');
      const materials = [{ type: 'git', attributes: { url, branch: 'main', auto_update: false } }];
      const stages = [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
      accepted(await server.post('/api/admin/pipelines', { group: 'polled', pipeline: { name: 'polled', materials, stages } }));
      const poll = () => server.post('/api/admin/materials/git/notify', { repository_url: url });
      const fingerprint = fingerprintOf({ type: 'git', url, branch: 'main' });
      await poll();
      const [failed] = await eventsAfter(before, 'material.*', 1);
      assert.equal(failed.type, 'material.failed');
      assert.deepEqual(failed.about, [{ resource: 'materials', id: fingerprint }]);
      assert.ok(failed.data.failure.length > 0);
      const origin = await GitOrigin.make(url);
      await origin.commit('first');
      const events = await eventually(
        () => poll().then(() => eventsNow(before, 'material.*')),
        (found) => found.length >= 2,
        100,
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ['material.failed', 'material.recovered'],
        'a failure that goes on is published once',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('a config repo that is read, with and without success', async () => {
  const before = await newest();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-config-repo-'));
  try {
    const origin = await GitOrigin.make(join(folder, 'repository'));
    await origin.commit('nonsense', { 'shop.gocd.yaml': 'pipelines: [' });
    const material = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
    const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
    accepted(
      await server.post('/api/admin/config_repos', { id: 'shop', plugin_id: 'yaml.config.plugin', material, configuration: [], rules }),
    );
    const trigger = () => server.ask('POST', '/api/admin/config_repos/shop/trigger_update', CONFIRM);
    await trigger();
    const [bad] = await eventsAfter(before, 'config_repo.parsed', 1);
    assert.deepEqual(bad.about, [{ resource: 'config_repos', id: 'shop' }]);
    assert.notEqual(bad.data.outcome, 'published');
    assert.ok(bad.data.problem_count > 0 && bad.data.problems.length > 0);
    const revision = await origin.commit('nothing', { 'shop.gocd.yaml': 'format_version: 10\n' });
    const events = await eventually(
      () => trigger().then(() => eventsNow(before, 'config_repo.parsed')),
      (found) => found.at(-1)?.data.outcome === 'published',
      100,
    );
    assert.equal(events.at(-1).data.revision, revision);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('no secret of any kind of configuration is in an event', async () => {
  const secrets: string[] = [];
  for (const { path, shape, sample } of kinds) {
    for (const [needed, body] of Object.entries(sample.needs ?? {})) await server.post(needed, body);
    const body = sample.body(7);
    const reply = shape === 'collection' ? await server.post(path, sample.wrap?.(body) ?? body) : await server.put(path, body, '*');
    assert.ok(reply.status === 200 || reply.status === 422, `${path}: ${reply.text}`);
    secrets.push(...sample.secrets(7));
  }
  assert.ok(secrets.length > 10);
  const text = (await rowsIn(server.dataDir, 'select body from events')).map(({ body }) => String(body)).join('\n');
  assert.deepEqual(
    secrets.filter((secret) => text.includes(secret)),
    [],
  );
});

test('events can be filtered by each of their subjects', async () => {
  const bodies = (await rowsIn(server.dataDir, 'select body from events')).map(({ body }) => JSON.parse(String(body)));
  const subjects = [...new Set(bodies.flatMap(({ about }) => about.map(({ resource }: { resource: string }) => resource)))];
  const known = new Set<string>([...kindsOf(registry).map(resourceName), ...OTHER_SUBJECTS]);
  assert.ok(subjects.length > OTHER_SUBJECTS.length);
  assert.deepEqual(
    subjects.filter((resource) => !known.has(resource)),
    [],
  );
});

test('a file that is imported while no server runs is reported, too, and a large change by its numbers', ABOUT_EMBEDDED, async () => {
  const other = await TestServer.start();
  givePassword(other, 'admin', { password: ADMIN_PASSWORD });
  try {
    const names = Array.from({ length: 150 }, (_, n) => `<environment name="e-${n}" />`).join('');
    const document = (await other.get('/api/admin/config.xml')).text;
    const version = /schemaVersion="\d+"/.exec(document)![0];
    const xml = `<?xml version="1.0"?><cruise ${version}><environments>${names}</environments></cruise>`;
    await other.restart(() => {
      const file = join(other.dataDir, 'import.xml');
      writeFileSync(file, xml);
      execFileSync(process.execPath, [COMMAND_LINE, 'import', file, '--data-dir', other.dataDir], { env: bareEnvironment() });
    });
    const [event] = (await other.get(`${EVENTS}?page_size=1`)).json._embedded.events;
    assert.equal(event.actor, 'slipway');
    assert.deepEqual(event.data.touched, { environments: 150 });
    assert.equal(event.about.length, 100);
    const found = (await other.get(`${EVENTS}?resource=environments&id=e-149`)).json._embedded.events;
    assert.deepEqual(found, [event]);
  } finally {
    await other.stop();
  }
});
