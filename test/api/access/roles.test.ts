// Roles: their two types, the policy word by word, and the changes that a used role refuses.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted, addUser, roleBody, startServer } from '../../support/requests/callers.ts';
import { invalid, stale } from '../../support/requests/replies.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/security/roles';
const ADMINS = '/api/admin/security/system_admins';
const GROUPS = '/api/admin/pipeline_groups';
const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const INVALID = "Validations failed for role 'r'. Error(s): [Validation failed.]. Please correct and resubmit.";

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());
beforeEach(async () => {
  accepted(await server.put(ADMINS, { users: ['admin'], roles: [] }, '*'));
  for (const { name } of (await server.get(GROUPS)).json._embedded.groups) accepted(await server.delete(`${GROUPS}/${name}`));
  for (const { name } of (await server.get(PATH)).json._embedded.roles) accepted(await server.delete(`${PATH}/${name}`));
});

const post = (role: object) => server.post(PATH, { name: 'r', type: 'svc', ...role });
const directive = { permission: 'allow', action: 'view', type: 'environment', resource: 'prod' };

describe('a role that lists its members', () => {
  test('is shown with type, policy and users', async () => {
    const { json, etag } = accepted(await post({ policy: [directive], attributes: { users: ['jez', 'kim'] } }));
    assert.deepEqual(json, {
      _links: {
        self: { href: `${server.url}${PATH}/r` },
        doc: { href: `${server.url}/api/docs#roles` },
        find: { href: `${server.url}${PATH}/:role_name` },
      },
      name: 'r',
      type: 'svc',
      policy: [directive],
      attributes: { users: ['jez', 'kim'] },
    });
    assert.equal((await server.get(`${PATH}/R`)).etag, etag);
  });

  test('may be called by the word of either product, and needs neither policy nor members', async () => {
    for (const type of ['svc', 'slipway', 'gocd']) {
      const { json } = accepted(await server.post(PATH, { name: type, type }));
      assert.deepEqual([json.type, json.policy, json.attributes], [type, [], { users: [] }]);
    }
  });

  test('names no user twice, and has no blank name', async () => {
    const { json } = invalid(await post({ attributes: { users: ['jez', ' ', 'JEZ'] } }), INVALID);
    assert.deepEqual(json.data.attributes.errors.users, ['User cannot be blank.', "User 'JEZ' already exists in 'r'."]);
  });

  test('names users as they can log in', async () => {
    const { json } = invalid(await post({ attributes: { users: ['jez', 'kim ', 'je\u200bz'] } }), INVALID);
    assert.deepEqual(json.data.attributes.errors.users, [
      "The login name 'kim ' must not begin or end with a blank.",
      "The login name 'je\\u{200b}z' must not hold control characters or invisible ones, such as line breaks and zero-width spaces.",
    ]);
    assert.deepEqual(accepted(await post({ attributes: { users: ['zoe\u0308', 'oidc:7'] } })).json.attributes.users, [
      'zo\u00eb',
      'oidc:7',
    ]);
  });

  test('has a type that exists, and a unique name', async () => {
    const odd = invalid(await post({ type: 'club' }), INVALID);
    assert.deepEqual(odd.json.data.errors.type, ["Invalid role type 'club', must be one of [svc, slipway, gocd, plugin]."]);
    invalid(await server.post(PATH, { name: 'r' }), 'Json `{"name":"r"}` does not contain property \'type\'');
    accepted(await post({}));
    const twice = invalid(await post({ name: 'R' }), "Failed to add role 'R'. Another role with the same name already exists.");
    assert.deepEqual(twice.json.data.errors.name, ['Role names should be unique. Role with the same name exists.']);
  });

  test('is replaced only with the ETag of the current version', async () => {
    const { etag } = accepted(await post({}));
    const message =
      "Someone has modified the configuration for role 'r'. Please update your copy of the config with the changes and try again.";
    stale(await server.put(`${PATH}/r`, roleBody('r', [])), message, false);
    accepted(await server.put(`${PATH}/r`, roleBody('r', ['jez']), etag));
    stale(await server.put(`${PATH}/r`, roleBody('r', ['kim']), etag), message);
    invalid(await server.put(`${PATH}/r`, roleBody('other', []), '*'), 'Renaming of role is not supported by this API.');
  });

  test('is deleted, and then not found', async () => {
    accepted(await post({}));
    assert.equal((await server.delete(`${PATH}/r`)).json.message, "Role with name 'r' was deleted successfully!");
    const gone = await server.get(`${PATH}/r`);
    assert.equal(gone.status, 404);
    assert.equal(gone.json.message, "Role with name 'r' was not found!");
  });
});

describe('a plugin role', () => {
  const plugin = (attributes: object, more: object = {}) => post({ type: 'plugin', attributes, ...more });

  test('names an authorization configuration that exists', async () => {
    const { json } = accepted(await plugin({ auth_config_id: 'password-file', users: ['ignored'] }));
    assert.deepEqual(json.attributes, { auth_config_id: 'password-file', properties: [] });
    const unknown = invalid(await plugin({ auth_config_id: 'nowhere' }, { name: 'other' }), INVALID.replace("'r'", "'other'"));
    assert.deepEqual(unknown.json.data.attributes.errors.auth_config_id, ['No such security auth configuration present for id: `nowhere`']);
    const blank = invalid(await plugin({}, { name: 'other' }), INVALID.replace("'r'", "'other'"));
    assert.deepEqual(blank.json.data.attributes.errors.auth_config_id, ['Invalid plugin role: auth_config_id must not be blank.']);
  });

  test('keeps its authorization configuration from being deleted', async () => {
    accepted(await server.post(AUTH_CONFIGS, { id: 'directory', plugin_id: 'not.installed' }));
    for (const name of ['r1', 'r2']) accepted(await plugin({ auth_config_id: 'directory' }, { name }));
    invalid(
      await server.delete(`${AUTH_CONFIGS}/directory`),
      "Validations failed for authConfig 'directory'. Error(s): [The security auth config 'directory' is being referenced by role(s): r1, r2.]. Please correct and resubmit.",
    );
    for (const name of ['r1', 'r2']) accepted(await server.delete(`${PATH}/${name}`));
    accepted(await server.delete(`${AUTH_CONFIGS}/directory`));
  });

  test('a plugin role of a missing plugin shows its properties, and hides those that look secret', async () => {
    accepted(await server.post(AUTH_CONFIGS, { id: 'directory', plugin_id: 'not.installed' }));
    const properties = [
      { key: 'MemberOf', value: 'cn=ops' },
      { key: 'BindPassword', value: 'hush' },
    ];
    const { json, text } = accepted(await plugin({ auth_config_id: 'directory', properties }));
    assert.deepEqual(json.attributes.properties[0], { key: 'MemberOf', value: 'cn=ops' });
    assert.deepEqual(Object.keys(json.attributes.properties[1]), ['key', 'encrypted_value']);
    assert.ok(!text.includes('hush'));
  });

  test('says by its name which role has a property twice', async () => {
    const properties = ['MemberOf', 'memberof'].map((key) => ({ key, value: 'cn=ops' }));
    const errorsOf = (reply: Reply) => reply.json.data.attributes.properties.map((one: { errors: object }) => one.errors);
    const twice = (role: string) =>
      ['MemberOf', 'memberof'].map((key) => ({ configuration_key: [`Duplicate key '${key}' found for Role ${role}`] }));
    const attributes = { auth_config_id: 'password-file', properties };
    assert.deepEqual(errorsOf(invalid(await plugin(attributes), INVALID)), twice("'r'"));
    accepted(await plugin({ auth_config_id: 'password-file' }));
    assert.deepEqual(errorsOf(await server.put(`${PATH}/r`, { type: 'plugin', attributes }, '*')), twice("'r'"));
    assert.deepEqual(errorsOf(await plugin(attributes, { name: '' })), twice('(noname)'));
  });
});

describe('a policy', () => {
  const errorsOf = async (...policy: object[]) => {
    const reply = invalid(await post({ policy }), INVALID);
    return reply.json.data.policy.map((one: { errors?: object }) => one.errors);
  };

  test('has an error beside each wrong word of each directive', async () => {
    const errors = await errorsOf({ permission: 'permit', action: 'refer', type: 'pipeline', resource: '' }, directive, {});
    const all = {
      permission: ["Invalid permission, must be either 'allow' or 'deny'."],
      action: ['Invalid action, must be one of [view, administer].'],
      type: ['Invalid type, must be one of [environment, config_repo, elastic_agent_profile, cluster_profile].'],
      resource: ['Resource cannot be blank.'],
    };
    assert.deepEqual(errors, [all, undefined, all]);
  });

  test('names clusters only for elastic agent profiles', async () => {
    for (const type of ['environment', 'config_repo', 'cluster_profile']) {
      assert.deepEqual(await errorsOf({ ...directive, type, resource: 'a:b' }), [
        { resource: [`Invalid resource, ${type} permissions can not contain ':' separator.`] },
      ]);
    }
    accepted(await post({ policy: [{ ...directive, type: 'elastic_agent_profile', resource: 'farm:*' }] }));
  });

  test('keeps all valid words, and their order', async () => {
    const policy = ['environment', 'config_repo', 'elastic_agent_profile', 'cluster_profile', '*'].flatMap((type) =>
      ['view', 'administer'].flatMap((action) =>
        ['deny', 'allow'].map((permission) => ({ permission, action, type, resource: `${type.slice(0, 3)}-?*` })),
      ),
    );
    assert.deepEqual(accepted(await post({ policy })).json.policy, policy);
  });

  test('takes its words only as they are written, in lower case and without wildcards', async () => {
    const errors = await errorsOf(
      { ...directive, permission: 'ALLOW' },
      { ...directive, action: '*' },
      { ...directive, type: 'Environment' },
    );
    assert.deepEqual(
      errors.map((one: object) => Object.keys(one)),
      [['permission'], ['action'], ['type']],
    );
  });
});

describe('a role that is used', () => {
  test('a role with rights in groups cannot be deleted, and the message names the groups', async () => {
    accepted(await post({}));
    accepted(await server.post(GROUPS, { name: 'Shop', authorization: { view: { roles: ['R'] } } }));
    accepted(await server.post(GROUPS, { name: 'office', authorization: { operate: { roles: ['r'] }, admins: { roles: ['r'] } } }));
    invalid(await server.delete(`${PATH}/r`), "Cannot delete the role 'r' as it is used by: 'Shop', 'office'");
    for (const name of ['shop', 'office']) accepted(await server.delete(`${GROUPS}/${name}`));
    accepted(await server.delete(`${PATH}/r`));
  });

  test('a role that appoints system administrators cannot be deleted, and the message says so', async () => {
    accepted(await post({}));
    accepted(await server.patch(ADMINS, { operations: { roles: { add: ['r'] } } }));
    const reply = await server.delete(`${PATH}/r`);
    assert.equal(reply.status, 422);
    assert.match(reply.json.message, /^Cannot delete the role 'r' as it is used by: .*system.?admin/i);
  });

  test('a role that appoints the last system administrator cannot lose that member, nor become a plugin role', async () => {
    const ann = await addUser(server, 'ann');
    accepted(await post({ attributes: { users: ['ann', 'never-seen'] } }));
    accepted(await server.put(ADMINS, { users: ['never-seen'], roles: ['r'] }, '*'));
    const put = (body: object) => server.put(`${PATH}/r`, body, '*', { as: ann });
    const { etag } = await server.get(`${PATH}/r`, { as: ann });
    invalid(await put(roleBody('r', ['never-seen'])), 'There must be at least one admin user enabled!');
    invalid(
      await put({ type: 'plugin', attributes: { auth_config_id: 'password-file' } }),
      'There must be at least one admin user enabled!',
    );
    assert.equal((await server.get(`${PATH}/r`, { as: ann })).etag, etag);
    accepted(await put(roleBody('r', ['ANN'])));
    accepted(await server.put(ADMINS, { users: ['admin'], roles: [] }, '*', { as: ann }));
  });
});
