// Pipeline groups: which users may see, operate and administer the pipelines in them.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import { invalid, stale } from '../../support/requests/replies.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/pipeline_groups';
const NO_MEMBERS = { users: [], roles: [] };

let server: TestServer;
let boss: string;
before(async () => {
  server = await startServer();
  boss = await addUser(server, 'boss');
  await addRole(server, 'Bosses', ['boss']);
});
after(() => server.stop());
beforeEach(async () => {
  await server.delete('/api/admin/pipelines/web');
  for (const { name } of (await server.get(PATH)).json._embedded.groups) accepted(await server.delete(`${PATH}/${name}`));
});

const post = (group: object) => server.post(PATH, { name: 'shop', ...group });

test('a group has three lists of users and roles, and no pipelines yet', async () => {
  const authorization = {
    view: { users: ['jez'], roles: ['Bosses'] },
    operate: { users: ['kim'], roles: [] },
    admins: { users: ['boss'], roles: ['bosses'] },
  };
  const { json } = accepted(await post({ authorization }));
  assert.deepEqual(json, {
    _links: {
      self: { href: `${server.url}${PATH}/shop` },
      doc: { href: `${server.url}/api/docs#pipeline-group-config` },
      find: { href: `${server.url}${PATH}/:group_name` },
    },
    name: 'shop',
    authorization,
    pipelines: [],
  });
  assert.deepEqual((await server.get(PATH)).json._embedded.groups, [json]);
});

test('fields left out of the authorization are empty', async () => {
  assert.deepEqual(accepted(await post({})).json.authorization, { view: NO_MEMBERS, operate: NO_MEMBERS, admins: NO_MEMBERS });
  const replaced = accepted(await server.put(`${PATH}/shop`, { authorization: { view: { users: ['jez'] } } }, '*'));
  assert.deepEqual(replaced.json.authorization, { view: { users: ['jez'], roles: [] }, operate: NO_MEMBERS, admins: NO_MEMBERS });
});

test('an unknown role is refused where it stands', async () => {
  for (const right of ['view', 'operate', 'admins']) {
    const reply = invalid(
      await post({ authorization: { [right]: { users: ['jez'], roles: ['Bosses', 'ghost'] } } }),
      "Validations failed for group 'shop'. Error(s): [Validation failed.]. Please correct and resubmit.",
    );
    assert.deepEqual(reply.json.data.authorization[right].errors, { roles: ['Role "ghost" does not exist.'] });
  }
  accepted(await post({}));
  assert.equal((await server.put(`${PATH}/shop`, { authorization: { admins: { roles: ['ghost'] } } }, '*')).status, 422);
});

test('names are unique, ignoring letter case, and follow the pattern', async () => {
  accepted(await post({}));
  const twice = invalid(
    await post({ name: 'SHOP' }),
    "Failed to add pipeline group 'SHOP'. Another pipeline group with the same name already exists.",
  );
  assert.deepEqual(twice.json.data.errors, { name: ["Pipeline group with name 'SHOP' already exists."] });
  const odd = await post({ name: 'my shop' });
  assert.equal(odd.status, 422);
  assert.match(odd.json.data.errors.name[0], /^Invalid group name 'my shop'\. This must be alphanumeric /);
});

test('a PUT needs If-Match, and a group is deleted', async () => {
  const { etag } = accepted(await post({}));
  const message =
    "Someone has modified the configuration for pipeline group 'shop'. Please update your copy of the config with the changes and try again.";
  for (const known of [undefined, '"stale"']) stale(await server.put(`${PATH}/shop`, {}, known), message, known !== undefined);
  accepted(await server.put(`${PATH}/shop`, { authorization: { view: { users: ['jez'] } } }, etag));
  assert.equal((await server.delete(`${PATH}/shop`)).json.message, "Pipeline group with name 'shop' was deleted successfully!");
  assert.equal((await server.get(`${PATH}/shop`)).json.message, "Pipeline group with name 'shop' was not found!");
});

test('only those under admins are group administrators, by name or by role', async () => {
  const everyRight = { users: ['boss'], roles: ['Bosses'] };
  accepted(await post({ authorization: { view: everyRight, operate: everyRight } }));
  assert.equal((await server.get('/api/admin/packages', { as: boss })).status, 403);
  assert.equal((await server.get(PATH, { as: boss })).status, 403);
  for (const admins of [{ users: ['BOSS'] }, { roles: ['BOSSES'] }]) {
    accepted(await server.put(`${PATH}/shop`, { authorization: { admins } }, '*'));
    accepted(await server.get('/api/admin/packages', { as: boss }));
    accepted(await server.get(`${PATH}/shop`, { as: boss }));
  }
});

test('a group administrator can give the group away, and is then none any more', async () => {
  accepted(await post({ authorization: { admins: { users: ['boss'] } } }));
  accepted(await server.put(`${PATH}/shop`, { authorization: { admins: { users: ['kim'] } } }, '*', { as: boss }));
  assert.equal((await server.get(`${PATH}/shop`, { as: boss })).status, 403);
});

test('a group shows its pipelines, and is not deleted before them', async () => {
  const job = { name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] };
  const pipeline = {
    name: 'web',
    materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/web.git' } }],
    stages: [{ name: 'build', jobs: [job] }],
  };
  accepted(await post({ authorization: { admins: { users: ['boss'] } } }));
  accepted(await server.post('/api/admin/pipelines', { group: 'SHOP', pipeline }, { as: boss }));
  const { json } = accepted(await server.get(`${PATH}/shop`, { as: boss }));
  assert.deepEqual(
    json.pipelines.map((one: { name: string }) => one.name),
    ['web'],
  );
  invalid(await server.delete(`${PATH}/shop`, { as: boss }), 'Failed to delete group shop because it was not empty.');
  accepted(await server.delete('/api/admin/pipelines/web', { as: boss }));
  accepted(await server.delete(`${PATH}/shop`, { as: boss }));
});

test('the tag of a group, and of the list, covers the pipelines that it shows', async () => {
  const pipeline = {
    name: 'web',
    materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/web.git' } }],
    stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
  };
  const empty = accepted(await post({}));
  accepted(await post({ name: 'other' }));
  const tags = async () => [(await server.get(`${PATH}/shop`)).etag, (await server.get(PATH)).etag];
  const before = await tags();
  assert.equal(before[0], empty.etag);
  const created = accepted(await server.post('/api/admin/pipelines', { group: 'shop', pipeline }));
  const filled = await tags();
  const ask = (etag: string | undefined) => server.get(`${PATH}/shop`, { headers: { 'If-None-Match': etag! } });
  assert.deepEqual([(await ask(before[0])).status, (await ask(filled[0])).status], [200, 304]);
  assert.ok(before[0] !== filled[0] && before[1] !== filled[1]);
  // A change that does not show through is none of the group.
  const edited = accepted(
    await server.put('/api/admin/pipelines/web', { ...pipeline, group: 'shop', lock_behavior: 'lockOnFailure' }, created.etag),
  );
  assert.deepEqual(await tags(), filled);
  const body = { name: 'shop', authorization: { view: { users: ['jez'] } } };
  const late = await server.put(`${PATH}/shop`, body, before[0]);
  assert.equal(late.status, 412);
  const revisionOf = (reply: Pick<Reply, 'headers'>) => Number(reply.headers.get('x-svc-revision'));
  assert.deepEqual(late.json.data.base, { revision: revisionOf(empty) });
  assert.deepEqual(
    late.json.data.changes.map(({ revision }: { revision: number }) => revision),
    [revisionOf(created)],
  );
  assert.deepEqual(
    late.json.data.theirs.map(({ words }: { words: string }) => words),
    ["pipeline 'web' added"],
  );
  accepted(await server.put(`${PATH}/shop`, body, before[0], { headers: { Prefer: 'merge' } }));
  const moved = accepted(await server.put('/api/admin/pipelines/web', { ...pipeline, group: 'other' }, edited.etag));
  const merged = await tags();
  assert.notEqual(merged[0], filled[0]);
  const then = await server.get(`${PATH}/shop?at=${revisionOf(edited)}`);
  assert.deepEqual([then.etag, then.json.pipelines.length], [filled[0], 1]);
  const other = accepted(await server.get(`${PATH}/other`));
  const renamed = accepted(await server.put(`${PATH}/other`, { ...other.json, name: 'last' }, other.etag));
  assert.equal(renamed.etag, (await server.get(`${PATH}/last`)).etag);
  assert.notEqual(renamed.etag, other.etag);
  const now = accepted(await server.get('/api/admin/pipelines/web'));
  assert.equal(now.json.group, 'last');
  accepted(await server.delete('/api/admin/pipelines/web'));
  assert.notEqual((await server.get(`${PATH}/last`)).etag, renamed.etag);
  assert.ok(revisionOf(moved) > revisionOf(edited));
});

test('no list has a name twice, or a blank one', async () => {
  for (const right of ['view', 'operate', 'admins']) {
    const reply = await post({ authorization: { [right]: { users: ['jez', '', 'JEZ'], roles: ['Bosses', 'bosses'] } } });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(reply.json.data.authorization[right].errors, {
      users: ['User cannot be blank.', "User 'JEZ' already exists."],
      roles: ["Role 'bosses' already exists."],
    });
  }
});
