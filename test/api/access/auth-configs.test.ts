// Authorization configurations: settings checked by their plugin, the order of logins, deletion while in use, the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/security/auth_configs';
const ROLES = '/api/admin/security/roles';
const BUNDLED = 'password-file';
const LDAP = 'cd.go.authentication.ldap';
const PASSWORD_FILE = 'cd.go.authentication.passwordfile';
const DIRECTORY = [
  { key: 'Url', value: 'ldaps://directory.example.org:636' },
  { key: 'SearchBases', value: 'ou=staff,dc=example,dc=org' },
  { key: 'UserLoginFilter', value: '(uid={0})' },
];
const MANAGER = { key: 'ManagerDN', value: 'cn=reader,dc=example,dc=org' };
const INVALID = "Validations failed for authConfig 'staff'. Error(s): [Validation failed.]. Please correct and resubmit.";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { name } of (await server.get(ROLES)).json._embedded.roles) await server.delete(`${ROLES}/${name}`);
  for (const { id } of (await server.get(PATH)).json._embedded.auth_configs) if (id !== BUNDLED) await server.delete(`${PATH}/${id}`);
});

const config = (more: object = {}) => ({ id: 'staff', plugin_id: LDAP, properties: DIRECTORY, ...more });
const post = (more: object = {}) => server.post(PATH, config(more));
const put = (more: object = {}) => server.put(`${PATH}/staff`, config(more), '*');

test('an authorization configuration is written in the order of GoCD, with links and an ETag', async () => {
  const created = await post({
    allow_only_known_users_to_login: true,
    properties: [...DIRECTORY, MANAGER, { key: 'Password', value: 'hush' }],
  });
  assert.equal(created.status, 200, created.text);
  const cipherText = created.json.properties[4].encrypted_value;
  assert.match(cipherText, /^v2:/);
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/staff` },
      doc: { href: `${server.url}/api/docs#authorization-configuration` },
      find: { href: `${server.url}${PATH}/:auth_config_id` },
    },
    id: 'staff',
    plugin_id: LDAP,
    allow_only_known_users_to_login: true,
    properties: [...DIRECTORY, MANAGER, { key: 'Password', encrypted_value: cipherText }],
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = await server.get(`${PATH}/staff`);
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
});

test('the list is in the order in which logins are tried, with links and an ETag', async () => {
  for (const id of ['zeta', 'alpha']) await post({ id });
  const list = await server.get(PATH);
  assert.match(list.etag!, /^"[0-9a-f]+"$/);
  assert.deepEqual(list.json._links, {
    self: { href: server.url + PATH },
    doc: { href: `${server.url}/api/docs#authorization-configuration` },
  });
  assert.deepEqual(
    list.json._embedded.auth_configs.map((one: { id: string }) => one.id),
    [BUNDLED, 'zeta', 'alpha'],
  );
});

test('an authorization configuration that does not exist is not found', () =>
  isUnknown(server, `${PATH}/ghost`, config(), "Security auth config with id 'ghost' was not found!"));

test('an authorization configuration with an id that is taken is refused', async () => {
  await post();
  const reply = await post();
  assert.equal(reply.status, 422);
  assert.equal(
    reply.json.message,
    "Failed to add security auth config 'staff'. Another security auth config with the same name already exists.",
  );
  assert.deepEqual(reply.json.data.errors, { id: ["Security auth config with id 'staff' already exists!"] });
  assert.equal((await post({ id: 'Staff' })).status, 200, 'ids that differ in letter case are different');
});

test('a rename is refused, by letter case too, and so is a stale copy', async () => {
  const { etag } = await post();
  for (const id of ['other', 'STAFF']) {
    const renamed = await put({ id });
    assert.equal(renamed.status, 422);
    assert.equal(renamed.json.message, 'Renaming of security auth config is not supported by this API.');
  }
  await put({ allow_only_known_users_to_login: true });
  for (const known of [etag, undefined]) {
    const reply = await server.put(`${PATH}/staff`, config(), known);
    stale(
      reply,
      "Someone has modified the configuration for security auth config 'staff'. Please update your copy of the config with the changes and try again.",
      known !== undefined,
    );
  }
});

test('a PUT may leave the id out, and every other field it leaves out goes back to its default', async () => {
  await post({ allow_only_known_users_to_login: true });
  const replaced = await server.put(`${PATH}/staff`, { plugin_id: 'com.example.not-installed' }, '*');
  assert.equal(replaced.status, 200, replaced.text);
  const { _links, ...fields } = replaced.json;
  assert.deepEqual(fields, { id: 'staff', plugin_id: 'com.example.not-installed', allow_only_known_users_to_login: false, properties: [] });
});

test('allow_only_known_users_to_login is true or false, and no text', async () => {
  assert.equal((await post({ allow_only_known_users_to_login: true })).json.allow_only_known_users_to_login, true);
  for (const allow_only_known_users_to_login of [null, 'TRUE', 'yes', 1]) {
    const { status, json } = await put({ allow_only_known_users_to_login });
    assert.equal(status, 422);
    assert.match(json.message, /^Could not read property 'allow_only_known_users_to_login' as a Boolean in json `.*` $/);
  }
});

test('a blank id is refused', async () => {
  const reply = await post({ id: '' });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "The security auth config config is invalid. Attribute 'id' cannot be null.");
  assert.deepEqual(reply.json.data.errors, { id: ['SecurityAuthConfig cannot have a blank id.'] });
});

test('a missing id is refused like a blank one', async () => {
  for (const id of [undefined, null]) {
    const reply = await post({ id });
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, "The security auth config config is invalid. Attribute 'id' cannot be null.");
    assert.deepEqual(reply.json.data.errors, { id: ['SecurityAuthConfig cannot have a blank id.'] });
  }
});

test('an invalid id, and a plugin that is missing, blank or of another kind, are refused', async () => {
  assert.deepEqual((await post({ id: 'the staff' })).json.data.errors, {
    id: [
      "Invalid id 'the staff'. This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.",
    ],
  });
  assert.equal((await server.post(PATH, { id: 'staff' })).json.message, 'Json `{"id":"staff"}` does not contain property \'plugin_id\'');
  const blank = await post({ plugin_id: '' });
  assert.equal(blank.json.message, INVALID);
  assert.deepEqual(blank.json.data.errors, { plugin_id: ['Security authorization configuration cannot have a blank plugin id.'] });
  const other = await post({ plugin_id: 'cd.go.artifact.s3', properties: [] });
  assert.equal(other.json.message, INVALID);
  assert.deepEqual(other.json.data.errors, { plugin_id: ['Plugin with id `cd.go.artifact.s3` is not found.'] });
});

test('errors of the plugin stand beside the setting, or on the configuration when the setting was not sent', async () => {
  const file = await post({ plugin_id: PASSWORD_FILE, properties: [{ key: 'Colour', value: 'red' }] });
  assert.equal(file.json.message, INVALID);
  assert.deepEqual(file.json.data.properties, [{ key: 'Colour', value: 'red', errors: { Colour: ['Is an unknown property'] } }]);
  assert.deepEqual(file.json.data.errors, { PasswordFilePath: ['PasswordFilePath must not be blank.'] });

  const directory = await post({ properties: [{ key: 'Url', value: '' }, MANAGER, { key: 'Password', value: '' }] });
  assert.deepEqual(directory.json.data.properties[0].errors, { Url: ['Url must not be blank.'] });
  assert.deepEqual(directory.json.data.properties[2].errors, {
    Password: ['Password cannot be blank when ManagerDN is provided.'],
  });
  assert.deepEqual(directory.json.data.errors, {
    SearchBases: ['SearchBases must not be blank.'],
    UserLoginFilter: ['UserLoginFilter must not be blank.'],
  });
});

test('a secret comes in one form at a time, can be sent back, and is refused for settings that are not secret', async () => {
  const withPassword = (property: object) => ({ properties: [...DIRECTORY, MANAGER, { key: 'Password', ...property }] });
  const created = await post(withPassword({ value: 'hush' }));
  const cipherText = created.json.properties[4].encrypted_value;
  assert.equal((await put(withPassword({ encrypted_value: cipherText }))).text, created.text);
  assert.equal((await put(withPassword({ value: 'hush' }))).text, created.text);

  const message = 'You may only specify `value` or `encrypted_value`, not both!';
  const both = await put(withPassword({ value: 'x', encrypted_value: cipherText }));
  assert.deepEqual(both.json.data.properties[4].errors.configuration_value, [message]);
  assert.deepEqual(both.json.data.properties[4].errors.encrypted_value, [message]);
  const tampered = await put(withPassword({ encrypted_value: 'v1:00000000:AAAA' }));
  assert.deepEqual(tampered.json.data.properties[4].errors.encrypted_value, [
    "Encrypted value for property with key 'Password' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
  ]);
  const unsecured = await put({ properties: [...DIRECTORY, { key: 'EmailAttribute', encrypted_value: cipherText }] });
  assert.deepEqual(unsecured.json.data.properties[3].errors, {
    encrypted_value: ['encrypted_value cannot be specified to a unsecured property.'],
  });
  assert.equal((await server.get(`${PATH}/staff`)).text, created.text);
});

test('each of several equal keys has an error, in any letter case', async () => {
  const reply = await post({ properties: [...DIRECTORY, { key: 'url', value: 'ldap://other.example.org' }] });
  assert.deepEqual(reply.json.data.properties[0].errors.configuration_key, [
    "Duplicate key 'Url' found for Security authorization configuration 'staff'",
  ]);
  assert.deepEqual(reply.json.data.properties[3].errors.configuration_key, [
    "Duplicate key 'url' found for Security authorization configuration 'staff'",
  ]);
});

test('an entry without a key cannot be read', async () => {
  const reply = await post({ properties: [{ value: 'x' }] });
  assert.equal(reply.status, 400);
  assert.deepEqual(reply.json, { message: 'Payload data is not valid JSON: Could not parse configuration property' });
});

test('an authorization configuration is deleted only when no role is decided by it', async () => {
  await post();
  for (const name of ['Builders', 'releasers']) {
    const role = { name, type: 'plugin', attributes: { auth_config_id: 'staff', properties: [] } };
    assert.equal((await server.post(ROLES, role)).status, 200);
  }
  const refused = await server.delete(`${PATH}/staff`);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json, {
    message:
      "Validations failed for authConfig 'staff'. Error(s): [The security auth config 'staff' is being referenced by role(s): Builders, releasers.]. Please correct and resubmit.",
  });
  for (const name of ['Builders', 'releasers']) await server.delete(`${ROLES}/${name}`);
  const deleted = await server.delete(`${PATH}/staff`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: "Security auth config with id 'staff' was deleted successfully!" });
});

test('the last authorization configuration cannot be deleted, so that users can still log in', async () => {
  const reply = await server.delete(`${PATH}/${BUNDLED}`);
  assert.equal(reply.status, 422);
  assert.deepEqual(Object.keys(reply.json), ['message']);
  assert.equal((await server.get(`${PATH}/${BUNDLED}`)).status, 200);
});
