// Dry runs of changes to users, service accounts, notification filters and agents: they show what would change, and change nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RunLab } from '../../builds/run-lab.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import type { Reply } from '../../support/server/server.ts';

let lab: RunLab;
before(async () => {
  lab = await RunLab.start();
});
after(() => lab?.stop());

const planOf = (reply: Reply) => accepted(reply).json._plan;
const wordsOf = (reply: Reply): string[] =>
  planOf(reply).changes.flatMap(({ differences }: { differences: { words: string }[] }) => differences.map(({ words }) => words));
const summary = (reply: Reply) =>
  planOf(reply).changes.map(({ resource, id, operation }: Record<string, string>) => [resource, id, operation]);

test('a dry run shows the change when users are added, changed, disabled or deleted', async () => {
  const { server } = lab;
  const add = (query: string) => server.post(`/api/users${query}`, { login_name: 'jez', email: 'jez@example.org' });
  const added = await add('?dry_run=true');
  assert.deepEqual(summary(added), [['users', 'jez', 'create']]);
  assert.deepEqual(wordsOf(added), ["User 'jez' created"]);
  assert.equal(planOf(added).changes[0].differences[0].after._links, undefined);
  assert.equal((await server.get('/api/users/jez')).status, 404);
  assert.equal(accepted(await add('')).json._plan, undefined);
  const changed = await server.patch('/api/users/jez?dry_run=true', { email: 'other@example.org', checkin_aliases: ['Jez H.'] });
  assert.deepEqual(summary(changed), [['users', 'jez', 'update']]);
  assert.match(wordsOf(changed).join('\n'), /jez@example\.org.*other@example\.org/);
  assert.equal((await server.get('/api/users/jez')).json.email, 'jez@example.org');
  assert.deepEqual(summary(await server.patch('/api/users/jez?dry_run=true', { email: 'jez@example.org' })), []);
  await addUser(server, 'ada');
  const state = { users: ['jez', 'ada'], operations: { enable: false } };
  const disabled = await server.patch('/api/users/operations/state?dry_run=true', state);
  assert.deepEqual(summary(disabled), [
    ['users', 'jez', 'update'],
    ['users', 'ada', 'update'],
  ]);
  accepted(await server.patch('/api/users/operations/state', state));
  assert.deepEqual(wordsOf(await server.ask('DELETE', '/api/users/jez?dry_run=true')), ["User 'jez' deleted"]);
  const both = await server.ask('DELETE', '/api/users?dry_run=true', { body: { users: ['jez', 'ada'] } });
  assert.deepEqual(wordsOf(both), ["User 'jez' deleted", "User 'ada' deleted"]);
  assert.equal((await server.get('/api/users/jez')).status, 200);
});

test('a dry run shows the change when users change their own mail settings', async () => {
  const { server } = lab;
  const changed = await server.patch('/api/current_user?dry_run=true', { email: 'me@example.org' });
  assert.deepEqual(summary(changed), [['users', 'admin', 'update']]);
  assert.match(wordsOf(changed).join('\n'), /me@example\.org/);
  assert.equal((await server.get('/api/current_user')).json.email, '');
});

test('a dry run shows the change when a service account is added, changed or deleted', async () => {
  const { server } = lab;
  const accounts = '/api/admin/service_accounts';
  const account = { name: 'bot', description: 'publishes' };
  assert.deepEqual(wordsOf(await server.post(`${accounts}?dry_run=true`, account)), ["Service account 'bot' created"]);
  accepted(await server.post(accounts, account));
  const changed = await server.ask('PUT', `${accounts}/bot?dry_run=true`, { body: { description: 'deploys' } });
  assert.deepEqual(summary(changed), [['service_accounts', 'bot', 'update']]);
  assert.match(wordsOf(changed).join('\n'), /publishes.*deploys/);
  assert.deepEqual(wordsOf(await server.ask('DELETE', `${accounts}/bot?dry_run=true`)), ["Service account 'bot' deleted"]);
  assert.equal((await server.get(`${accounts}/bot`)).json.description, 'publishes');
});

test('a dry run shows the change when a notification filter is added, changed or deleted', async () => {
  const { server } = lab;
  const mail = { hostname: 'mail.example.org', port: 25, sender_email: 'slipway@example.org', admin_email: 'admin@example.org' };
  accepted(await server.post('/api/config/mailserver', mail));
  const filters = '/api/notification_filters';
  const filter = { pipeline: '[Any Pipeline]', stage: '[Any Stage]', event: 'Breaks', match_commits: false };
  const added = await server.post(`${filters}?dry_run=true`, filter);
  assert.deepEqual([summary(added), wordsOf(added)], [[['notification_filters', '', 'create']], ['Notification filter created']]);
  const { id } = accepted(await server.post(filters, filter)).json;
  const changed = await server.patch(`${filters}/${id}?dry_run=true`, { ...filter, event: 'Fails' });
  assert.deepEqual(summary(changed), [['notification_filters', String(id), 'update']]);
  assert.match(wordsOf(changed).join('\n'), /Breaks.*Fails/);
  const removed = await server.ask('DELETE', `${filters}/${id}?dry_run=true`);
  assert.deepEqual(wordsOf(removed), [`Notification filter '${id}' deleted`]);
  assert.equal((await server.get(`${filters}/${id}`)).json.event, 'Breaks');
});

test('a dry run shows the changes when one or many agents are changed or deleted', async () => {
  const { server } = lab;
  const { uuid } = await lab.agent();
  const changed = await server.patch(`/api/agents/${uuid}?dry_run=true`, { resources: ['linux'] });
  assert.deepEqual(summary(changed), [['agents', uuid, 'update']]);
  assert.equal(planOf(changed).changes[0].label, (await server.get(`/api/agents/${uuid}`)).json.hostname);
  assert.match(wordsOf(changed).join('\n'), /linux/);
  const bulk = { uuids: [uuid], operations: { resources: { add: ['fast'], remove: [] } } };
  assert.match(wordsOf(await server.patch('/api/agents?dry_run=true', bulk)).join('\n'), /fast/);
  assert.deepEqual((await server.get(`/api/agents/${uuid}`)).json.resources, []);
  accepted(await server.patch(`/api/agents/${uuid}`, { agent_config_state: 'Disabled' }));
  assert.deepEqual(wordsOf(await server.ask('DELETE', `/api/agents/${uuid}?dry_run=true`)), [`Agent '${uuid}' deleted`]);
  assert.equal((await server.get(`/api/agents/${uuid}`)).status, 200);
});
