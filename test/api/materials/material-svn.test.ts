// Subversion materials of a running server, in real repositories behind svnserve: found by their identity, and with their externals.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fingerprintOf } from '../../../src/materials/catalogue/fingerprint.ts';
import { Lab, listenDuring } from '../../materials/support/polling.ts';
import { requirePassword, SvnOrigin, type SvnServer, startSvnserve } from '../../materials/support/svn-origin.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { until } from '../../support/until.ts';
import { create, pipeline, removeAll } from '../pipelines/bodies.ts';

const lab = new Lab();
const root = lab.newPath('served');
let svnserve: SvnServer;
let server: TestServer;
let plain: string;
before(async () => {
  await ensureDebianPackages(['subversion']);
  mkdirSync(root);
  svnserve = await startSvnserve(root);
  server = await startServer();
  plain = await addUser(server, 'plain');
  const authorization = { view: { users: ['admin'] } };
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization }));
});
after(async () => {
  await server.stop();
  await svnserve.stop();
  lab.remove();
});
beforeEach(() => removeAll(server));

const svn = (url: string, more: object = {}) => ({ type: 'svn', attributes: { url, auto_update: false, ...more } });
const add = async (name: string, materials: readonly object[]) => accepted(await create(server, pipeline(name, { materials }), 'g'));
const notify = (body: object) => server.post('/api/admin/materials/svn/notify', body);
const fingerprint = (url: string, username: string | null, checkExternals: boolean) =>
  fingerprintOf({ type: 'svn', url, username, checkExternals });

const revisionsOf = async (of: string) => {
  const reply = await server.get(`/api/materials/${of}/modifications`);
  return reply.status === 200 ? reply.json._embedded.modifications.map(({ revision }: { revision: string }) => revision) : [];
};
const untilRevisions = (of: string, ...expected: readonly string[]) =>
  until(`revision ${expected[0]}`, async () => String(await revisionsOf(of)) === String(expected));
const failures = async () =>
  (await server.get('/api/server_health_messages')).json.filter(({ message }: { message: string }) => message.startsWith('Modification'));

async function served(name: string, ...folders: readonly string[]) {
  const origin = await SvnOrigin.make(join(root, name));
  origin.load([{ message: 'start', added: Object.fromEntries(['trunk', ...folders].map((folder) => [folder, null])) }]);
  const checkout = lab.newPath(name);
  await origin.svn(lab.directory, 'checkout', '--quiet', origin.url, checkout);
  return {
    url: `${svnserve.url}/${name}`,
    origin,
    uuid: (await origin.svn(lab.directory, 'info', '--show-item', 'repos-uuid', origin.url)).trim(),
    commit: async (file: string) => {
      writeFileSync(join(checkout, file), String(Math.random()));
      await origin.svn(checkout, 'add', '--quiet', '--force', file);
      await origin.svn(checkout, 'commit', '--quiet', '-m', `change of ${file}`);
    },
    externals: async (folder: string, ...lines: readonly string[]) => {
      await origin.svn(checkout, 'update', '--quiet', '--ignore-externals');
      await origin.svn(checkout, 'propset', '--quiet', 'svn:externals', lines.join('\n'), folder);
      await origin.svn(checkout, 'commit', '--quiet', '-m', 'externals');
    },
  };
}

describe('a notification by the identity of the repository', () => {
  test('polls all materials in the repository and no others, even if other repositories cannot be asked', async () => {
    const [notified, other] = [await served('told', 'branches'), await served('other')];
    await add('one', [svn(`${notified.url}/trunk`, { destination: 'a' }), svn(`${notified.url}/branches`, { destination: 'b' })]);
    await add('two', [svn(`${other.url}/trunk`, { destination: 'c' }), svn('svn://127.0.0.1:1/nobody/there', { destination: 'd' })]);
    await add('three', [svn(`${notified.url}`, { auto_update: true })]);
    const reply = await notify({ uuid: notified.uuid.toUpperCase() });
    assert.equal(reply.status, 202, reply.text);
    await untilRevisions(fingerprint(`${notified.url}/trunk`, null, false), '1');
    await untilRevisions(fingerprint(`${notified.url}/branches`, null, false), '1');
    assert.deepEqual(await revisionsOf(fingerprint(`${other.url}/trunk`, null, false)), []);
    failed(
      await notify({ uuid: '00000000-0000-0000-0000-000000000000' }),
      404,
      'Unable to find material. Materials must be configured not to poll for new changes before they can be used with the notification mechanism. These could not be asked for their UUIDs: svn://127.0.0.1:1/nobody/there.',
    );
    assert.match(server.log, /could not be asked for its identity/);
  });

  test('waits for no server that answers nothing, and is found again after the repository was replaced', async (t) => {
    const silent = createServer(() => {});
    const port = await listenDuring(t, silent);
    const { url, uuid, origin } = await served('beside');
    await add('one', [svn(`${url}/trunk`, { destination: 'a' }), svn(`svn://127.0.0.1:${port}/x`, { destination: 'b' })]);
    const answered = async (of: string) => assert.equal((await notify({ uuid: of })).status, 202);
    for (let turn = 0; turn < 3; turn++) {
      const before = Date.now();
      await answered(uuid);
      assert.ok(Date.now() - before < 20_000, 'a question is given up after 20 seconds');
    }
    await untilRevisions(fingerprint(`${url}/trunk`, null, false), '1');
    await removeAll(server);
    await add('one', [svn(`${url}/trunk`)]);
    const another = 'bbbbbbbb-1111-2222-3333-444444444444';
    origin.setUuid(another);
    await answered(another);
  });

  test('a notification may have a password, which is shown nowhere', async () => {
    const hidden = await served('hidden');
    requirePassword(hidden.origin, 'bob', 'hunter2-hunter2');
    await add('one', [svn(`${hidden.url}/trunk`, { username: 'bob', password: 'hunter2-hunter2' })]);
    assert.equal((await notify({ uuid: hidden.uuid })).status, 202);
    await untilRevisions(fingerprint(`${hidden.url}/trunk`, 'bob', false), '1');
    assert.ok(!server.log.includes('hunter2'));
  });
});

describe('externals', () => {
  test('are polled with the material that brings them in, and are seen by users who see it', async () => {
    const [app, lib] = [await served('app'), await served('lib', 'extra')];
    await app.externals('trunk', `${lib.url}/trunk lib`, '^/trunk/nowhere missing');
    await app.externals('trunk', `${lib.url}/trunk lib`);
    const url = `${app.url}/trunk`;
    const main = fingerprint(url, null, true);
    const external = fingerprint(`${lib.url}/trunk`, null, true);
    await add('one', [svn(url, { check_externals: true })]);
    failed(await server.get(`/api/materials/${external}/modifications`), 404, 'Not Found { Material not found }');
    assert.equal((await notify({ repository_url: url })).status, 202);
    await untilRevisions(main, '3');
    await untilRevisions(external, '1');
    failed(
      await server.get(`/api/materials/${external}/modifications`, { as: plain }),
      403,
      'Unauthorized { Do not have view permission to this material }',
    );
    const listed = accepted(await server.get('/api/config/materials')).json._embedded.materials;
    assert.deepEqual(
      listed.map((one: { fingerprint: string }) => one.fingerprint),
      [main],
    );

    await lib.commit('trunk/new.txt');
    await lib.commit('extra/elsewhere.txt');
    assert.equal((await notify({ repository_url: url })).status, 202);
    await untilRevisions(external, '2', '1');
    assert.deepEqual(await revisionsOf(main), ['3']);

    await app.externals('trunk', `${lib.url}/extra extra`);
    assert.equal((await notify({ repository_url: url })).status, 202);
    const another = fingerprint(`${lib.url}/extra`, null, true);
    await untilRevisions(another, '3');
    failed(await server.get(`/api/materials/${external}/modifications`), 404, 'Not Found { Material not found }');
    assert.deepEqual(await failures(), []);
  });

  test('externals that cannot be polled are reported, with the pipelines that need them', async () => {
    const app = await served('broken');
    await app.externals('trunk', 'svn://bob:hunter2@127.0.0.1:1/nowhere lib');
    const url = `${app.url}/trunk`;
    await add('one', [svn(url, { check_externals: true })]);
    assert.equal((await notify({ repository_url: url })).status, 202);
    const [message] = await until('the message', async () => {
      const all = await failures();
      return all.length > 0 && all;
    });
    assert.equal(
      message.message,
      'Modification check failed for material: URL: svn://bob:******@127.0.0.1:1/nowhere, Username: null, CheckExternals: true\nAffected pipelines are one.',
    );
    assert.ok(!JSON.stringify(message).includes('hunter2') && !server.log.includes('hunter2'));
    await removeAll(server);
    await until('silence', async () => (await failures()).length === 0);
  });
});
