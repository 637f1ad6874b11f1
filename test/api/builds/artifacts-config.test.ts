// Artifacts config: the directory, the two thresholds of purging, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/config/server/artifact_config';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(() => server.put(PATH, { artifacts_dir: 'artifacts' }, '*'));

const put = (body: object) => server.put(PATH, body, '*');
const purging = (start?: unknown, upto?: unknown) =>
  put({ artifacts_dir: 'a', purge_settings: { purge_start_disk_space: start, purge_upto_disk_space: upto } });
const refused = (errors: string) => `Validations failed for artifacts. Error(s): [${errors}]. Please correct and resubmit.`;

test('the artifacts config is there from the beginning', async () => {
  const fresh = await TestServer.start();
  try {
    const { json, etag } = await fresh.get(PATH);
    assert.deepEqual(Object.keys(json), ['_links', 'artifacts_dir']);
    assert.equal(json.artifacts_dir, 'artifacts');
    assert.equal((await fresh.put(PATH, { artifacts_dir: 'artifacts' }, etag)).etag, etag);
  } finally {
    await fresh.stop();
  }
});

test('the artifacts config is written in the order of GoCD, with links and an ETag', async () => {
  const body = { artifacts_dir: '/srv/cd/artifacts', purge_settings: { purge_start_disk_space: 12.5, purge_upto_disk_space: 40 } };
  const set = await put(body);
  assert.equal(set.status, 200, set.text);
  const links = { doc: { href: `${server.url}/api/docs#artifact_config` }, self: { href: server.url + PATH } };
  assert.equal(set.text, JSON.stringify({ _links: links, ...body }));
  const read = await server.get(PATH);
  assert.equal(read.text, set.text);
  assert.equal(read.etag, set.etag);
});

test('a PUT replaces everything', async () => {
  await purging(1, 2);
  assert.equal((await put({ artifacts_dir: 'b' })).json.purge_settings, undefined);
  for (const settings of [null, {}, { purge_start_disk_space: null, purge_upto_disk_space: null }]) {
    const { json } = await put({ artifacts_dir: 'b', purge_settings: settings });
    assert.deepEqual(Object.keys(json), ['_links', 'artifacts_dir']);
  }
});

test('there is only GET and PUT', async () => {
  assert.equal((await server.post(PATH, { artifacts_dir: 'b' })).status, 404);
  assert.equal((await server.delete(PATH)).status, 404);
});

test('an artifacts config without a directory is refused', async () => {
  const message = 'Please provide a not empty value for artifactsdir';
  for (const body of [{}, { artifacts_dir: '' }, { artifacts_dir: null }]) {
    const reply = await put(body);
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, refused(message));
    assert.deepEqual(reply.json.data.errors, { artifacts_dir: [message] });
  }
});

test('the data directory itself is refused as artifacts directory, in every spelling', async () => {
  for (const artifacts_dir of ['.', './', 'here/..']) {
    const reply = await put({ artifacts_dir });
    assert.equal(reply.status, 422, artifacts_dir);
    const [message] = reply.json.data.errors.artifacts_dir;
    assert.equal(message, `artifactsdir should not point to the root of sand box [${artifacts_dir}]`);
    assert.equal(reply.json.message, refused(message));
  }
});

test('every wrong pair of thresholds is refused', async () => {
  const noStart = 'Error in artifact cleanup values. The trigger value has to be specified when a goal is set';
  const noGoal = 'Error in artifact cleanup values. Please specify goal value';
  const cases: [unknown, unknown, string, string][] = [
    [undefined, 10, 'purge_start_disk_space', noStart],
    [null, 10, 'purge_start_disk_space', noStart],
    [0, 10, 'purge_start_disk_space', noStart],
    [20, undefined, 'purge_upto_disk_space', noGoal],
    [
      20,
      10,
      'purge_start_disk_space',
      'Error in artifact cleanup values. The trigger value (20.0GB) should be less than the goal (10.0GB)',
    ],
    [
      '12.25',
      '1.5',
      'purge_start_disk_space',
      'Error in artifact cleanup values. The trigger value (12.25GB) should be less than the goal (1.5GB)',
    ],
  ];
  const before = await server.get(PATH);
  for (const [start, upto, key, message] of cases) {
    const reply = await purging(start, upto);
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.json.message, refused(message));
    assert.deepEqual(reply.json.data.purge_settings.errors, { [key]: [message] });
    assert.equal(reply.json.data._links, undefined);
  }
  assert.equal((await server.get(PATH)).text, before.text);
});

test('negative thresholds are refused beside their fields', async () => {
  const reply = await purging(-2, -1);
  assert.equal(reply.status, 422);
  assert.deepEqual(Object.keys(reply.json.data.purge_settings.errors), ['purge_start_disk_space', 'purge_upto_disk_space']);
});

test('equal thresholds are fine, and numbers may come as text', async () => {
  const { json } = await purging('10', 10);
  assert.deepEqual(json.purge_settings, { purge_start_disk_space: 10, purge_upto_disk_space: 10 });
});

test('problems of the directory and of the thresholds are reported together', async () => {
  const reply = await put({ purge_settings: { purge_start_disk_space: 20 } });
  assert.equal(
    reply.json.message,
    refused('Please provide a not empty value for artifactsdir, Error in artifact cleanup values. Please specify goal value'),
  );
});

test('members of the wrong type are refused', async () => {
  const cases: [object, string][] = [
    [{ artifacts_dir: {} }, 'Could not read property \'artifacts_dir\' as a String in json `{"artifacts_dir":{}}` '],
    [
      { artifacts_dir: 'a', purge_settings: 5 },
      'Could not read property \'purge_settings\' as a JsonObject in json `{"artifacts_dir":"a","purge_settings":5}`',
    ],
    [
      { artifacts_dir: 'a', purge_settings: { purge_start_disk_space: 'much' } },
      'Could not read property \'purge_start_disk_space\' as a String in json `{"purge_start_disk_space":"much"}` ',
    ],
  ];
  for (const [body, message] of cases) {
    const reply = await put(body);
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, message);
  }
});

test('a member of the wrong type does not hide other errors, and each stands in its place', async () => {
  const { json } = await put({ artifacts_dir: '', purge_settings: { purge_start_disk_space: 'x' } });
  assert.deepEqual(Object.keys(json.data.errors), ['artifacts_dir']);
  assert.deepEqual(Object.keys(json.data.purge_settings.errors), ['purge_start_disk_space']);
});

test('a stale copy is refused', async () => {
  const { etag } = await server.get(PATH);
  await purging(1, 2);
  for (const known of [etag, undefined]) {
    const reply = await server.put(PATH, { artifacts_dir: 'b' }, known);
    stale(reply, 'Someone has modified the entity. Please update your copy with the changes and try again.', known !== undefined);
  }
});

test('a member of the wrong type is reported before a stale copy', async () => {
  const reply = await server.put(PATH, { artifacts_dir: {} });
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.json.message, /^Could not read property 'artifacts_dir'/);
});

test('another directory is used from the next start on, and a message says so until then', async () => {
  const waits = 'The change in the artifacts directory location will not take effect until the Slipway Server is restarted';
  const isReported = async () => (await server.get('/api/server_health_messages')).text.includes(waits);
  assert.equal(await isReported(), false);
  assert.equal((await put({ artifacts_dir: 'elsewhere' })).status, 200);
  assert.equal(await isReported(), true);
  assert.equal((await put({ artifacts_dir: './artifacts' })).status, 200);
  assert.equal(await isReported(), false);
  assert.equal((await put({ artifacts_dir: 'elsewhere' })).status, 200);
  await server.restart();
  assert.equal(await isReported(), false);
});
