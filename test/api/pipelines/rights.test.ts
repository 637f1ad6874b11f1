// Which users may create, see, change, move and delete pipelines.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted, addRole, addUser, roleBody, startServer } from '../../support/requests/callers.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';
import { create, errorsIn, PATH, pipeline, refused, removeAll, stage, tryOut } from './bodies.ts';

const GROUPS = '/api/admin/pipeline_groups';
const FORBIDDEN = { message: 'You are not authorized to perform this action.' };

let server: TestServer;
const people: Record<string, string> = {};
before(async () => {
  server = await startServer();
  for (const login of ['boss', 'boss-by-role', 'other-boss', 'double-boss', 'viewer', 'viewer-by-role', 'operator', 'plain']) {
    people[login] = await addUser(server, login);
  }
  await addRole(server, 'bosses', ['boss-by-role']);
  await addRole(server, 'viewers', ['viewer-by-role']);
  const authorization = {
    view: { users: ['viewer'], roles: ['viewers'] },
    operate: { users: ['operator'], roles: [] },
    admins: { users: ['boss', 'double-boss'], roles: ['bosses'] },
  };
  accepted(await server.post(GROUPS, { name: 'g', authorization }));
  accepted(await server.post(GROUPS, { name: 'h', authorization: { admins: { users: ['other-boss', 'double-boss'] } } }));
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  accepted(await create(server, pipeline('web')));
});

function forbidden(reply: Reply): void {
  assert.equal(reply.status, 403, reply.text);
  assert.deepEqual(reply.json, FORBIDDEN);
}

const NO_ADMINS = ['other-boss', 'viewer', 'viewer-by-role', 'operator', 'plain'];

for (const login of ['boss', 'boss-by-role', 'double-boss']) {
  test(`${login} administers the pipelines of the group`, async () => {
    const as = people[login]!;
    const { etag } = accepted(await server.get(`${PATH}/web`, { as }));
    accepted(await server.put(`${PATH}/web`, { group: 'g', ...pipeline('web', { lock_behavior: 'lockOnFailure' }) }, etag, { as }));
    accepted(await server.delete(`${PATH}/web`, { as }));
    accepted(await server.post(PATH, { group: 'G', pipeline: pipeline('web') }, { as }));
  });
}

for (const login of NO_ADMINS) {
  test(`${login} administers no pipeline of the group`, async () => {
    const as = people[login]!;
    forbidden(await server.get(`${PATH}/web`, { as }));
    forbidden(await server.put(`${PATH}/web`, { group: 'g', ...pipeline('web') }, '*', { as }));
    forbidden(await server.put(`${PATH}/web`, { group: 'h', ...pipeline('web') }, '*', { as }));
    forbidden(await server.delete(`${PATH}/web`, { as }));
    forbidden(await server.post(PATH, { group: 'g', pipeline: pipeline('new') }, { as }));
    accepted(await server.get(`${PATH}/web`));
    assert.equal((await server.get(`${PATH}/new`)).status, 404);
  });
}

test('a pipeline that does not exist is 404 to users who administer some group', async () => {
  for (const login of ['boss', 'other-boss']) {
    const reply = await server.get(`${PATH}/ghost`, { as: people[login]! });
    assert.equal(reply.status, 404);
    assert.equal(reply.json.message, "Pipeline with name 'ghost' was not found!");
  }
});

describe('moving', () => {
  const move = (login: string) => server.put(`${PATH}/web`, { group: 'h', ...pipeline('web') }, '*', { as: people[login]! });

  test('needs the rights where it is and where it goes', async () => {
    for (const login of ['boss', 'other-boss', 'plain']) forbidden(await move(login));
    assert.equal((await server.get(`${PATH}/web`)).json.group, 'g');
    accepted(await move('double-boss'));
    forbidden(await server.get(`${PATH}/web`, { as: people.boss! }));
    accepted(await server.get(`${PATH}/web`, { as: people['other-boss']! }));
  });

  test('moving a pipeline to a group that does not exist is forbidden to group administrators', async () => {
    const reply = await server.put(`${PATH}/web`, { group: 'nowhere', ...pipeline('web') }, '*', { as: people.boss! });
    forbidden(reply);
    assert.equal((await server.get(`${GROUPS}/nowhere`)).status, 404);
  });
});

test('only a system administrator opens a new group with its first pipeline', async () => {
  forbidden(await server.post(PATH, { group: 'new', pipeline: pipeline('first') }, { as: people.boss! }));
  assert.equal((await server.get(`${GROUPS}/new`)).status, 404);
});

test('a POST without a group gets 422 if the user administers some group', async () => {
  const posted = await server.post(PATH, { pipeline: pipeline('first') }, { as: people.boss! });
  assert.equal(posted.status, 422, posted.text);
  assert.equal(posted.json.message, 'Pipeline group must be specified for creating a pipeline.');
});

test('rights change with the group, at once', async () => {
  const { json } = await server.get(`${GROUPS}/g`);
  const without = { ...json.authorization, admins: { users: [], roles: [] } };
  accepted(await server.put(`${GROUPS}/g`, { authorization: without }, '*'));
  forbidden(await server.get(`${PATH}/web`, { as: people.boss! }));
  accepted(await server.put(`${GROUPS}/g`, { authorization: json.authorization }, '*'));
  accepted(await server.get(`${PATH}/web`, { as: people.boss! }));
});

test('the status is for users who may see the group', async () => {
  for (const login of ['boss', 'boss-by-role', 'viewer', 'viewer-by-role']) {
    accepted(await server.get('/api/pipelines/web/status', { as: people[login]! }));
  }
  for (const login of ['other-boss', 'plain']) forbidden(await server.get('/api/pipelines/web/status', { as: people[login]! }));
});

describe('approvers of a stage must be able to operate the group', () => {
  const approvedBy = (users: string[], roles: string[] = []) =>
    pipeline('approved', { stages: [stage('s', { approval: { type: 'manual', authorization: { users, roles } } })] });
  const AT = 'stages.0.approval.authorization.';

  test('an approver who may not operate the group is refused, whether user or role', async () => {
    const reply = await tryOut(server, approvedBy(['operator', 'plain'], ['viewers']));
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(errorsIn(reply.json.data), {
      [`${AT}users`]: ['User "plain" who is not authorized to operate pipeline group `g` can not be authorized to approve stage'],
      [`${AT}roles`]: ['Role "viewers" who is not authorized to operate pipeline group `g` can not be authorized to approve stage'],
    });
  });

  test('operators and administrators of the group pass', async () => {
    accepted(await tryOut(server, approvedBy(['operator'])));
    accepted(await tryOut(server, approvedBy(['boss'], ['bosses'])));
  });

  test('every user may approve in a group that names no operators', async () => {
    accepted(await tryOut(server, approvedBy(['plain'], ['viewers']), 'h'));
  });

  describe('approvers after a change of the rights', () => {
    const GROUP = `${GROUPS}/approved`;
    const notOperating = (who: string) =>
      `${who} who is not authorized to operate pipeline group \`approved\` can not be authorized to approve stage "approved :: s"`;
    const give = (authorization: object) => server.put(GROUP, { authorization }, '*');
    const setRole = (users: string[]) => server.put('/api/admin/security/roles/operators', roleBody('operators', users), '*');
    before(() => addRole(server, 'operators', ['plain']));
    beforeEach(async () => {
      accepted(await setRole(['plain']));
      await server.post(GROUPS, { name: 'approved' });
      accepted(await give({ operate: { users: ['operator'], roles: ['operators'] }, admins: { users: ['boss'] } }));
    });

    test('an operator or administrator who approves a stage keeps the right', async () => {
      accepted(await create(server, approvedBy(['OPERATOR', 'boss', 'plain'], ['Operators']), 'approved'));
      const before = (await server.get(GROUP)).text;
      refused(await give({ operate: { users: ['other-boss'] } }), {
        base: ['User "OPERATOR"', 'User "boss"', 'User "plain"', 'Role "Operators"'].map(notOperating),
      });
      refused(await give({ operate: { roles: ['operators'] }, admins: { users: ['boss'] } }), { base: [notOperating('User "OPERATOR"')] });
      assert.equal((await server.get(GROUP)).text, before);
      accepted(await give({ operate: { users: ['boss'], roles: ['operators'] }, admins: { users: ['operator'] } }));
      accepted(await give({ view: { users: ['viewer'] } }));
      assert.equal((await give({ operate: { users: ['viewer'] } })).status, 422);
      accepted(await server.delete(`${PATH}/approved`));
      accepted(await give({ operate: { users: ['viewer'] } }));
    });

    test('approvers must be able to operate in stages that come from a template, too', async () => {
      const template = { name: 'approved', stages: approvedBy(['operator']).stages };
      accepted(await server.post('/api/admin/templates', template));
      accepted(await create(server, pipeline('approved', { template: 'approved', stages: null }), 'approved'));
      refused(await give({ operate: { users: ['boss'] } }), { base: [notOperating('User "operator"')] });
      accepted(await server.delete(`${PATH}/approved`));
      accepted(await server.delete('/api/admin/templates/approved'));
    });

    test('a member of a role that operates stays in it', async () => {
      accepted(await create(server, approvedBy(['plain']), 'approved'));
      refused(await setRole(['viewer']), { base: [notOperating('User "plain"')] });
      accepted(await setRole(['viewer', 'PLAIN']));
      accepted(await give({ operate: { users: ['plain'], roles: ['operators'] } }));
      accepted(await setRole([]));
    });

    test('a system administrator who approves a stage stays one', async () => {
      const ADMINS = '/api/admin/security/system_admins';
      const setAdmins = (users: string[], roles: string[] = []) => server.put(ADMINS, { users, roles }, '*');
      accepted(await setAdmins(['admin', 'plain']));
      accepted(await give({ operate: { users: ['operator'] } }));
      accepted(await create(server, approvedBy(['plain']), 'approved'));
      refused(await setAdmins(['admin']), { base: [notOperating('User "plain"')] });
      accepted(await setAdmins(['admin'], ['operators']));
      refused(await setRole([]), { base: [notOperating('User "plain"')] });
      accepted(await server.delete(`${PATH}/approved`));
      accepted(await setAdmins(['admin']));
    });

    test('approvers in pipelines of other groups are not checked', async () => {
      accepted(await create(server, approvedBy(['operator'])));
      accepted(await give({ operate: { users: ['boss'] } }));
      accepted(await server.put(GROUP, { name: 'approved-later', authorization: { operate: { users: ['boss'] } } }, '*'));
      accepted(await server.delete(`${GROUPS}/approved-later`));
    });
  });
});
