// What refers to an entity, whichever it is: pages show it, and it stands in the way of a deletion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, addRole, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const USAGES = '/api/admin/config/entities/roles/testers/usages';
const members = (...roles: readonly string[]) => ({ users: [], roles });

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const usages = async (query = '') => accepted(await server.get(`${USAGES}${query}`)).json.usages;

test('the usages name each entity that refers to it once, and parts by what they are part of', async () => {
  await addRole(server, 'testers', []);
  assert.deepEqual(await usages(), []);
  const authorization = { view: members('testers'), operate: members('testers'), admins: members() };
  const { headers } = accepted(await server.post('/api/admin/pipeline_groups', { name: 'shop', authorization }));
  const job = { name: 'unit', tasks: [{ type: 'exec', attributes: { command: 'make' } }] };
  const approval = { type: 'manual', authorization: members('testers') };
  accepted(await server.post('/api/admin/templates', { name: 'shared', stages: [{ name: 'test', approval, jobs: [job] }] }));
  const rights = '/api/admin/templates/shared/authorization';
  const now = accepted(await server.get(rights));
  accepted(await server.put(rights, { ...now.json, view: members('testers') }, now.etag));
  const admins = accepted(await server.get('/api/admin/security/system_admins'));
  accepted(await server.put('/api/admin/security/system_admins', { ...admins.json, roles: ['testers'] }, admins.etag));
  assert.deepEqual(await usages(), [
    { resource: 'system_admins', id: '' },
    { resource: 'pipeline_groups', id: 'shop' },
    { resource: 'templates', id: 'shared' },
  ]);
  assert.deepEqual(await usages(`?at=${headers.get('X-Svc-Revision')}`), [{ resource: 'pipeline_groups', id: 'shop' }]);
});

test('the usages of a missing entity or resource are not found', async () => {
  assert.equal((await server.get(USAGES.replace('testers', 'nobody'))).status, 404);
  assert.equal((await server.get(USAGES.replace('roles', 'nothing'))).status, 404);
});
