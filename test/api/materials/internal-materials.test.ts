// The list of materials with the current state of each, and the pipelines that use one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fingerprintOf } from '../../../src/materials/catalogue/fingerprint.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { create, dependency, git, pipeline } from '../pipelines/bodies.ts';

const PATH = '/api/internal/materials';
const accept = 'application/vnd.go.cd.v1+json';
const CONFIRM = { headers: { 'X-GoCD-Confirm': 'true' } };

interface Shown {
  readonly config: { readonly type: string; readonly fingerprint: string; readonly attributes: Readonly<Record<string, unknown>> };
  readonly details: readonly { readonly label: string; readonly value: string }[];
  readonly can_trigger_update: boolean;
  readonly material_update_in_progress: boolean;
  readonly material_update_end_time?: string;
  readonly modification: Readonly<Record<string, unknown>> | null;
  readonly messages: readonly { readonly level: string; readonly message: string; readonly description: string }[];
}

let server: TestServer;
let viewer: string;
let origin: GitOrigin;
const lab = new Lab();
const goneUrl = lab.newPath('gone');
const fingerprintAt = (url: string) => fingerprintOf({ type: 'git', url, branch: 'main' });
before(async () => {
  server = await startServer();
  viewer = await addUser(server, 'viewer');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'seen', authorization: { view: { users: ['viewer'] } } }));
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'hidden', authorization: {} }));
  origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('Take the new logo');
  const own = git({ url: origin.path, branch: 'main', destination: 'own' });
  const gone = git({ url: goneUrl, branch: 'main', destination: 'gone' });
  const secret = git({ url: 'https://me:not-to-be-seen@scm.example.org/a.git', branch: 'main', destination: 'a' });
  accepted(await create(server, pipeline('web', { materials: [own, gone] }), 'seen'));
  accepted(await create(server, pipeline('deploy', { materials: [dependency('web')] }), 'seen'));
  accepted(await create(server, pipeline('secret', { materials: [secret, own] }), 'hidden'));
});
after(async () => {
  await server.stop();
  lab.remove();
});

const listed = async (as?: string): Promise<readonly Shown[]> =>
  accepted(await server.get(PATH, { accept, ...(as !== undefined && { as }) })).json.materials;
const find = async (url: string) => (await listed()).find(({ config }) => config.fingerprint === fingerprintAt(url))!;
const poll = async (url: string) => {
  const reply = await server.ask('POST', `${PATH}/${fingerprintAt(url)}/trigger_update`, { accept, ...CONFIRM });
  assert.equal(reply.status, 201, reply.text);
};

test('every repository is listed once, without secrets; other pipelines are none', async () => {
  const { json } = accepted(await server.get(PATH, { accept }));
  assert.deepEqual(json._links, { self: { href: server.url + PATH }, doc: { href: `${server.url}/api/docs#materials` } });
  const shown: readonly Shown[] = json.materials;
  assert.deepEqual(
    shown.map(({ config }) => [config.type, config.attributes.url]),
    [
      ['git', origin.path],
      ['git', goneUrl],
      ['git', 'https://me:******@scm.example.org/a.git'],
    ],
  );
  assert.deepEqual(shown[0]!.details, [{ label: 'Branch', value: 'main' }]);
  assert.deepEqual(shown[0]!.modification, null);
  assert.deepEqual(shown[0]!.messages, []);
  assert.equal(shown[0]!.material_update_end_time, undefined);
});

test('the newest modification is shown', async () => {
  await poll(origin.path);
  await until('the first modification', async () => (await find(origin.path)).modification);
  await origin.commit('Take the newer logo');
  const tip = await origin.tip();
  await poll(origin.path);
  const modification = await until('the second modification', async () => {
    const newest = (await find(origin.path)).modification;
    return newest?.revision === tip && newest;
  });
  assert.equal(modification.comment, 'Take the newer logo');
  assert.match(String(modification.modified_time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(typeof modification.username, 'string');
});

test('a failed poll is shown with the material', async () => {
  await poll(goneUrl);
  const [message] = await until('the failure', async () => {
    const { messages } = await find(goneUrl);
    return messages.length > 0 && messages;
  });
  assert.equal(message!.level, 'ERROR');
  assert.match(message!.message, /^Modification check failed for material: URL: .*\nAffected pipelines are web\.$/);
  assert.ok(message!.description.length > 0);
  assert.match((await find(goneUrl)).material_update_end_time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('pages are notified when a requested poll ends, also when it found nothing', async () => {
  const live = async (since = '') => accepted(await server.get(`/api/live?topics=materials${since}`, { accept })).json;
  const { id } = await live();
  const before = await find(origin.path);
  await poll(origin.path);
  const own = fingerprintAt(origin.path);
  await until('the notice', async () => {
    const { notices }: { notices: { event: string; data: { fingerprint: string } }[] } = await live(`&since=${id}`);
    return notices.some(({ event, data }) => event === 'material' && data.fingerprint === own);
  });
  assert.deepEqual((await find(origin.path)).modification, before.modification);
});

test('each user sees the materials of the groups they may see, and whether they may ask for a poll', async () => {
  const own = await listed(viewer);
  assert.deepEqual(
    own.map(({ config, can_trigger_update }) => [config.attributes.url, can_trigger_update]),
    [
      [origin.path, false],
      [goneUrl, false],
    ],
  );
  assert.ok((await listed()).every(({ can_trigger_update }) => can_trigger_update));
});

test('usages are the names of pipelines; unknown materials have none', async () => {
  const usages = (fingerprint: string, as?: string) =>
    server.get(`${PATH}/${fingerprint}/usages`, { accept, ...(as !== undefined && { as }) });
  const path = `${PATH}/${fingerprintAt(origin.path)}/usages`;
  assert.deepEqual(accepted(await usages(fingerprintAt(origin.path))).json, {
    _links: { self: { href: server.url + path }, doc: { href: `${server.url}/api/docs#materials` } },
    usages: ['web', 'secret'],
  });
  assert.deepEqual(accepted(await usages(fingerprintAt(origin.path), viewer)).json.usages, ['web']);
  assert.deepEqual(accepted(await usages('0'.repeat(64))).json.usages, []);
});

test('the modifications of a material are read from page to page, by users who see a pipeline that uses it', async () => {
  for (let number = 1; number <= 14; number++) await origin.commit(`number ${number}`);
  const fingerprint = fingerprintAt(origin.path);
  const path = `${PATH}/${fingerprint}/modifications`;
  await until('the last commit', async () => {
    await server.ask('POST', `${PATH}/${fingerprint}/trigger_update`, { accept, ...CONFIRM });
    return accepted(await server.get(path, { accept })).json.modifications[0]?.comment === 'number 14';
  });
  const page = async (address: string, as?: string) => accepted(await server.get(address, { accept, ...(as !== undefined && { as }) }));
  const comments = ({ json }: { json: { modifications: { comment: string }[] } }) => json.modifications.map(({ comment }) => comment);
  const linkIn = (json: { _links: Record<string, { href: string }> }, name: string) => json._links[name]!.href.replace(server.url, '');
  const newest = await page(path, viewer);
  assert.equal(comments(newest).length, 10);
  assert.equal(newest.json._links.previous, undefined);
  const older = await page(linkIn(newest.json, 'next'), viewer);
  assert.deepEqual(comments(older), ['number 4', 'number 3', 'number 2', 'number 1', 'Take the newer logo', 'Take the new logo']);
  assert.equal(older.json._links.next, undefined);
  assert.deepEqual(comments(await page(linkIn(older.json, 'previous'), viewer)), comments(newest));
  assert.equal((await server.get(path, { accept, headers: { 'If-None-Match': newest.etag! } })).status, 304);
  assert.equal((await server.get(`${path}?page_size=1`, { accept })).status, 400);
  const hidden = fingerprintOf({ type: 'git', url: 'https://me:not-to-be-seen@scm.example.org/a.git', branch: 'main' });
  for (const other of [hidden, 'unknown']) {
    const refused = await server.get(`${PATH}/${other}/modifications`, { accept, as: viewer });
    assert.deepEqual([refused.status, refused.json.message], [403, 'Unauthorized { Do not have view permission to this material }']);
  }
  assert.equal((await server.get(`${PATH}/unknown/modifications`, { accept })).status, 404);
});

test('the list shows how many pipelines use a material, of those that are seen', async () => {
  const countOf = async (as?: string) =>
    (await listed(as)).find(({ config }) => config.fingerprint === fingerprintAt(origin.path)) as Shown & { readonly pipelines: number };
  assert.equal((await countOf()).pipelines, 2);
  assert.equal((await countOf(viewer)).pipelines, 1);
});
