// Environments: variables, pipelines, patches, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/environments';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
  for (const name of ['p', 'web', 'a', 'billing', 'x']) {
    const stages = [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'true' } }] }] }];
    const pipeline = { name, materials: [{ type: 'git', attributes: { url: `https://scm.example.org/${name}` } }], stages };
    assert.equal((await server.post('/api/admin/pipelines', { group: 'g', pipeline })).status, 200);
  }
});
after(() => server.stop());
beforeEach(async () => {
  for (const { name } of (await server.get(PATH)).json._embedded.environments) await server.delete(`${PATH}/${name}`);
});

const post = (environment: object) => server.post(PATH, { name: 'e', ...environment });
const variables = (...environment_variables: object[]) => post({ environment_variables });

test('variables are written plain or as cipher text', async () => {
  const { json } = await variables({ name: 'REGION', value: 'north' }, { name: 'KEY', value: 'k', secure: true });
  assert.deepEqual(json.environment_variables[0], { secure: false, name: 'REGION', value: 'north' });
  assert.deepEqual(Object.keys(json.environment_variables[1]), ['secure', 'name', 'encrypted_value']);
});

test('invalid variables are refused with the messages of GoCD', async () => {
  const failed = async (...list: object[]) => {
    const reply = await variables(...list);
    assert.equal(reply.status, 422, reply.text);
    return reply.json;
  };
  assert.equal((await failed({ value: 'x' })).message, 'Json `{"value":"***"}` does not contain property \'name\'');
  assert.equal((await failed({ name: 'X' })).message, "Environment variable must contain either 'value' or 'encrypted_value'");
  assert.equal(
    (await failed({ name: '', value: 'x' })).message,
    "Failed to add environment 'e'. Environment Variable cannot have an empty name for environment 'e'.",
  );
  assert.equal(
    (await failed({ name: ' X', value: 'x' })).message,
    "Failed to add environment 'e'. Environment Variable cannot start or end with spaces for environment 'e'.",
  );
  assert.equal(
    (await failed({ name: 'A', value: 'x' }, { name: 'a', value: 'y' })).message,
    "Failed to add environment 'e'. Environment Variable name 'A' is not unique for environment 'e'., Environment Variable name 'a' is not unique for environment 'e'.",
  );
  const both = await failed({ name: 'K', secure: true, value: 'hush', encrypted_value: 'v1:00000000:AAAA' });
  assert.equal(both.message, 'Error parsing environment config from the request');
  assert.deepEqual(Object.keys(both.data.environment_variables[0].errors), ['value', 'encrypted_value']);
  const notSecure = await failed({ name: 'K', encrypted_value: 'v1:00000000:AAAA' });
  assert.deepEqual(notSecure.data.environment_variables[0].errors.encrypted_value, [
    "You may specify encrypted value only when option 'secure' is true.",
  ]);
  const tampered = await failed({ name: 'K', secure: true, encrypted_value: 'v1:00000000:AAAA' });
  assert.match(tampered.message, /^Failed to add environment 'e'\. Encrypted value for variable named 'K' is invalid\./);
});

test('the name follows the pattern', async () => {
  const reply = await post({ name: 'a b' });
  assert.equal(
    reply.json.message,
    'Failed to add environment \'a b\'. failed to save : Environment name is invalid. "a b" should conform to the pattern - [a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*',
  );
});

test('a name that is only too long is reported as such', async () => {
  const reply = await post({ name: 'x'.repeat(256) });
  assert.equal(reply.status, 422);
  assert.match(reply.json.data.errors.name[0], /should conform to the pattern - .*, with at most 255 characters$/);
  assert.equal((await post({ name: 'x'.repeat(255) })).status, 200);
});

test('names that differ in letter case are the same environment; a PUT can change the case', async () => {
  await post({ name: 'qa' });
  assert.equal(
    (await post({ name: 'QA' })).json.message,
    "Failed to add environment 'QA'. Another environment with the same name already exists.",
  );
  const renamed = await server.put(`${PATH}/Qa`, { name: 'QA' }, '*');
  assert.equal(renamed.json.name, 'QA');
  assert.equal((await server.get(`${PATH}/qa`)).json.name, 'QA');
});

test('a PUT without lists blanks them', async () => {
  await post({ pipelines: [{ name: 'p' }], environment_variables: [{ name: 'A', value: 'x' }] });
  const { json } = await server.put(`${PATH}/e`, { name: 'e' }, '*');
  assert.deepEqual([json.pipelines, json.environment_variables], [[], []]);
});

test('the list is sorted by name', async () => {
  for (const name of ['beta', 'alpha', 'gamma']) await post({ name });
  const names = (await server.get(PATH)).json._embedded.environments.map((one: { name: string }) => one.name);
  assert.deepEqual(names, ['alpha', 'beta', 'gamma']);
});

test('pipelines carry links, belong to one environment, and stand there once', async () => {
  const { json } = await post({ pipelines: [{ name: 'web' }] });
  assert.deepEqual(json.pipelines, [
    {
      _links: {
        self: { href: `${server.url}/api/admin/pipelines/web` },
        doc: { href: `${server.url}/api/docs#pipeline-config` },
        find: { href: `${server.url}/api/admin/pipelines/:pipeline_name` },
      },
      name: 'web',
    },
  ]);
  const other = await post({ name: 'other', pipelines: [{ name: 'WEB' }] });
  assert.equal(other.json.message, "Failed to add environment 'other'. Associating pipeline(s) which is already part of e environment");
  const twice = await post({ name: 'other', pipelines: [{ name: 'a' }, { name: 'a' }] });
  assert.equal(twice.json.message, "Failed to add environment 'other'. Cannot add pipeline 'a' to the environment");
  assert.equal((await post({ name: 'other', pipelines: [{}] })).json.message, "Json `{}` does not contain property 'name'");
});

test('a patch adds and removes, in that order, and touches nothing else', async () => {
  await post({
    pipelines: [{ name: 'web' }],
    environment_variables: [
      { name: 'REGION', value: 'north' },
      { name: 'KEEP', value: '1' },
    ],
  });
  const patched = await server.patch(`${PATH}/e`, {
    pipelines: { add: ['billing'], remove: ['WEB'] },
    environment_variables: { add: [{ name: 'REGION', value: 'south' }], remove: ['REGION'] },
  });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(
    patched.json.pipelines.map((one: { name: string }) => one.name),
    ['billing'],
  );
  assert.deepEqual(
    patched.json.environment_variables.map((one: { name: string; value: string }) => [one.name, one.value]),
    [
      ['KEEP', '1'],
      ['REGION', 'south'],
    ],
  );
  const untouched = await server.patch(`${PATH}/e`, { pipelines: { remove: ['billing'] } });
  assert.equal(untouched.json.environment_variables.length, 2);
  assert.notEqual(untouched.etag, patched.etag);
});

test('a patch cannot make a list longer than a body may have it', async () => {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, value: '' }));
  accepted(await server.post(PATH, { name: 'long', environment_variables: names('a', 49_999) }));
  const grown = (count: number) => server.patch(`${PATH}/long`, { environment_variables: { add: names('b', count) } });
  const reply = await grown(2);
  assert.equal(reply.status, 422, reply.text.slice(0, 300));
  assert.deepEqual(reply.json.data.errors, { environment_variables: ['There would be 50001 entries; at most 50000 are possible.'] });
  assert.equal((await grown(1)).status, 200);
  await server.delete(`${PATH}/long`);
});

test('a patch that cannot be applied says why and changes nothing', async () => {
  await post({ pipelines: [{ name: 'web' }], environment_variables: [{ name: 'A', value: '1' }] });
  const { text } = await server.get(`${PATH}/e`);
  const cases: [object, number, RegExp][] = [
    [
      { pipelines: { add: ['x'], remove: ['ghost'] } },
      422,
      /^Failed to update environment 'e'\. Pipeline 'ghost' does not exist in environment 'e'$/,
    ],
    [{ environment_variables: { remove: ['B'] } }, 422, /Environment variable with name 'B' does not exist in environment 'e'$/],
    [{ pipelines: { add: ['web'] } }, 400, /Cannot add pipeline 'web' to the environment$/],
    [{ environment_variables: { add: [{ name: 'a', value: 'x' }] } }, 422, /is not unique for environment 'e'/],
    [{ environment_variables: { add: [{ name: 'B', value: 'x', encrypted_value: 'y' }] } }, 422, /^Error parsing/],
    [{}, 422, /'pipelines' and 'environment_variables'/],
    [{ pipelines: [] }, 422, /as a JsonObject/],
  ];
  for (const [body, status, message] of cases) {
    const reply = await server.patch(`${PATH}/e`, body);
    assert.equal(reply.status, status, reply.text);
    assert.match(reply.json.message, message);
    assert.equal((await server.get(`${PATH}/e`)).text, text);
  }
  assert.equal((await server.patch(`${PATH}/ghost`, { pipelines: {} })).status, 404);
});

test('all that is wrong with a patch is reported at once', async () => {
  await post({ pipelines: [{ name: 'web' }], environment_variables: [{ name: 'A', value: '1' }] });
  const reply = await server.patch(`${PATH}/e`, {
    pipelines: { add: ['web', 'spook', 'x'], remove: ['ghost'] },
    environment_variables: {
      add: [
        { name: '', value: 'x' },
        { name: 'a', value: 'y' },
      ],
      remove: ['B'],
    },
  });
  assert.equal(reply.status, 422, reply.text);
  const twice = (name: string) => `Environment Variable name '${name}' is not unique for environment 'e'.`;
  const messages = {
    repeated: "Cannot add pipeline 'web' to the environment",
    absentPipeline: "Pipeline 'ghost' does not exist in environment 'e'",
    absentVariable: "Environment variable with name 'B' does not exist in environment 'e'",
    blank: "Environment Variable cannot have an empty name for environment 'e'.",
    unknown: "Environment 'e' refers to an unknown pipeline 'spook'.",
  };
  for (const message of [...Object.values(messages), twice('A'), twice('a')]) assert.ok(reply.json.message.includes(message), message);
  const { pipelines, environment_variables, errors } = reply.json.data;
  assert.deepEqual(errors, {
    pipelines: [messages.repeated, messages.absentPipeline],
    environment_variables: [messages.absentVariable],
  });
  assert.deepEqual(
    pipelines.map((one: { errors?: object }) => one.errors),
    [undefined, { name: [messages.unknown] }, undefined],
  );
  assert.deepEqual(
    environment_variables.map((one: { errors?: object }) => one.errors),
    [{ name: [twice('A')] }, { name: [messages.blank] }, { name: [twice('a')] }],
  );
});

test('a variable of a patch that cannot be read is answered with the variables that were sent', async () => {
  await post({});
  const add = [
    { name: 'OK', value: '1' },
    { name: 'K', secure: true, value: 'hush', encrypted_value: 'x' },
  ];
  const { json } = await server.patch(`${PATH}/e`, { environment_variables: { add } });
  const { json: more } = await server.patch(`${PATH}/e`, { pipelines: { remove: ['web'] }, environment_variables: { add, remove: ['B'] } });
  assert.deepEqual(more.data.environment_variables[1].errors, json.data.environment_variables[1].errors);
  assert.deepEqual(more.data.errors, {
    pipelines: ["Pipeline 'web' does not exist in environment 'e'"],
    environment_variables: ["Environment variable with name 'B' does not exist in environment 'e'"],
  });
  assert.equal(json.message, 'Error parsing patch request');
  assert.deepEqual(Object.keys(json.data), ['environment_variables']);
  assert.deepEqual(Object.keys(json.data.environment_variables[1].errors), ['value', 'encrypted_value']);
});

test('other errors of a variable in a patch are reported with all the rest, beside it', async () => {
  await post({ environment_variables: [{ name: 'KEPT', value: '1' }] });
  const tampered = [{ name: 'T', secure: true, encrypted_value: 'v1:xx:yy' }];
  const refused = await server.patch(`${PATH}/e`, { environment_variables: { add: tampered } });
  const reason =
    "Encrypted value for variable named 'T' is invalid. This usually happens when the cipher text is modified to have an invalid value.";
  assert.deepEqual([refused.status, refused.json.message], [422, `Failed to update environment 'e'. ${reason}`]);
  assert.deepEqual(refused.json.data.environment_variables[1].errors, { encrypted_value: [reason] });
  const operations = { pipelines: { add: ['nope'], remove: ['zz'] }, environment_variables: { add: [{ name: 'A' }], remove: ['B'] } };
  const { json } = await server.patch(`${PATH}/e`, operations);
  assert.deepEqual([json.data.name, json.data.environment_variables.length], ['e', 2]);
  assert.deepEqual(Object.keys(json.data.environment_variables[1].errors), ['value']);
  assert.deepEqual(json.data.pipelines[0].errors, { name: ["Environment 'e' refers to an unknown pipeline 'nope'."] });
  assert.deepEqual(json.data.errors, {
    pipelines: ["Pipeline 'zz' does not exist in environment 'e'"],
    environment_variables: ["Environment variable with name 'B' does not exist in environment 'e'"],
  });
});

test('a patch honours If-Match when it is sent', async () => {
  const { etag } = await post({});
  await server.patch(`${PATH}/e`, { environment_variables: { add: [{ name: 'A', value: '1' }] } });
  const more = { environment_variables: { add: [{ name: 'B', value: '1' }] } };
  const { json } = await server.put(`${PATH}/e`, {}, etag);
  stale(await server.patch(`${PATH}/e`, more, { headers: { 'If-Match': etag! } }), json.message);
});

test('a refused secret comes back as it was sent, but nothing in clear and nothing made up', async () => {
  const shown = async (variable: object) => {
    const { json, status, text } = await variables({ name: 'W', secure: true, ...variable });
    assert.equal(status, 422, text);
    assert.ok(!text.includes('hush'));
    const { errors, ...more } = json.data.environment_variables[0];
    assert.equal((await server.post(PATH, json.data)).status, 422);
    return more;
  };
  const sent = { secure: true, name: 'W' };
  assert.deepEqual(await shown({ encrypted_value: 'AES:xx:yy' }), { ...sent, encrypted_value: 'AES:xx:yy' });
  assert.deepEqual(await shown({ encrypted_value: 'AES:xx:yy', value: 'hush' }), { ...sent, encrypted_value: 'AES:xx:yy' });
  assert.deepEqual(await shown({ encrypted_value: 'hush' }), { ...sent, encrypted_value: '******' });
  assert.deepEqual(await shown({}), sent);
  assert.deepEqual(await shown({ value: ['hush'] }), sent);
});

test('entries of the wrong type are reported by their number', async () => {
  const message = "Entry 1 of 'pipelines' must be a JSON object.";
  const { json } = await post({ pipelines: ['nope'] });
  assert.deepEqual([json.message, json.data.errors], [message, { pipelines: [message] }]);
});

test('all that is wrong with a PUT that cannot be read is reported, as for a POST', async () => {
  await post({});
  const wrong = { name: 'e', pipelines: 5, environment_variables: ['1', '2'].map((value) => ({ name: 'TWICE', value })) };
  const updated = await server.put(`${PATH}/e`, wrong, '"older"');
  await server.delete(`${PATH}/e`);
  assert.deepEqual(updated.json, (await server.post(PATH, wrong)).json);
  assert.deepEqual(Object.keys(updated.json.data.errors), ['pipelines']);
  assert.deepEqual(
    updated.json.data.environment_variables.map(({ errors }: { errors?: object }) => errors !== undefined),
    [true, true],
  );
});

test('a name of the wrong type is no rename', async () => {
  await post({});
  for (const name of [{}, ['f']]) {
    const { status, json } = await server.put(`${PATH}/e`, { name }, '*');
    assert.deepEqual([status, Object.keys(json.data.errors)], [422, ['name']]);
    assert.match(json.message, /^Could not read property 'name' as a String/);
  }
});

test('the errors of a part of a patch stand under that part', async () => {
  await post({});
  for (const part of ['pipelines', 'environment_variables'])
    for (const operation of ['add', 'remove']) {
      const { json } = await server.patch(`${PATH}/e`, { [part]: { [operation]: 'nope' } });
      assert.deepEqual(Object.keys(json.data.errors), [part]);
    }
});
