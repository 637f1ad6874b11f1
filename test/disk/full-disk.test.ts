// A disk without room: changes are refused with 507 and leave nothing behind, reads go on, and all is well again when there is room.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { jsonAnswer, type Route } from '../../src/api/engine/route.ts';
import { needsSpace, withSpaceGuard } from '../../src/api/engine/space-guard.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { migrate } from '../../src/store/migrate.ts';
import { NO_ROOM } from '../../src/store/sqlite/full-disk.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { smallDisk } from '../support/database/small-disk.ts';
import { TestServer } from '../support/server/server.ts';

const ENVIRONMENTS = '/api/admin/environments';
const VALUE = 'x'.repeat(50_000);
const environment = (name: string) => ({ name, environment_variables: [{ name: 'A', value: VALUE }] });

test('a commit that finds no room is a refusal, for single statements and for many, and nothing of it is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-full-'));
  const database = openSqlite(join(folder, 'test.db'));
  await migrate(database);
  const pages = (await sql<{ page_count: number }>`pragma page_count`.execute(database.query)).rows[0]!.page_count;
  await database.writeTransaction([sql`pragma max_page_count = ${sql.raw(String(pages + 5))}`.compile(database.query)]);
  const insert = (condition: string) => database.query.insertInto('told_conditions').values({ condition, since: VALUE });
  const isNoRoom = (failure: unknown) =>
    failure instanceof Refusal && failure.kind === 'insufficientStorage' && failure.message === NO_ROOM;
  await assert.rejects(database.writeTransaction([insert('a').compile(), insert('b').compile()]), isNoRoom);
  await assert.rejects(insert('c').execute(), isNoRoom);
  assert.deepEqual(await database.query.selectFrom('told_conditions').selectAll().execute(), []);
  await database.writeTransaction([sql`pragma max_page_count = 1000000`.compile(database.query)]);
  await database.writeTransaction([insert('a').compile()]);
  assert.equal((await database.query.selectFrom('told_conditions').select('condition').execute()).length, 1);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a server on a full disk refuses changes with 507, goes on reading, and recovers', ABOUT_EMBEDDED, async (context) => {
  const disk = smallDisk(context, 24);
  if (!disk) return;
  const server = await startOn(disk);
  assert.equal((await server.post(ENVIRONMENTS, environment('first'))).status, 200);
  const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize;
  const filler = join(disk, 'filler');
  writeFileSync(filler, Buffer.alloc(Math.max(0, free() - 300_000)));
  let accepted = 0;
  let refused = await server.post(ENVIRONMENTS, environment('n0'));
  while (refused.status === 200 && accepted < 100) refused = await server.post(ENVIRONMENTS, environment(`n${++accepted}`));
  assert.equal(refused.status, 507, refused.text);
  assert.equal(refused.json.message, NO_ROOM);
  // Reads go on, and the refused entity is not there.
  const before = await server.get(ENVIRONMENTS);
  assert.equal(before.status, 200);
  assert.equal(before.json._embedded.environments.length, accepted + 1);
  assert.equal((await server.get(`${ENVIRONMENTS}/n${accepted}`)).status, 404);
  assert.equal(
    (await server.put(`${ENVIRONMENTS}/first`, environment('first'), '"x"')).status,
    412,
    'what is refused anyway is refused as ever',
  );
  assert.doesNotMatch(server.log, /a fault of the server/);
  rmSync(filler);
  assert.equal((await server.post(ENVIRONMENTS, environment(`n${accepted}`))).status, 200);
  const after = await server.get(ENVIRONMENTS);
  await server.restart();
  assert.deepEqual((await server.get(ENVIRONMENTS)).json._embedded.environments.length, after.json._embedded.environments.length);
  await server.stop();
});

test('writes that come together on a full disk: each is whole or refused, and the database is sound', ABOUT_EMBEDDED, async (context) => {
  const disk = smallDisk(context, 24);
  if (!disk) return;
  const server = await startOn(disk);
  await server.get(ENVIRONMENTS); // one login for all
  writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, statfsSync(disk).bavail * statfsSync(disk).bsize - 200_000)));
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => server.post(ENVIRONMENTS, environment(`e${index}`))));
  const statuses = new Set(answers.map(({ status }) => status));
  assert.ok(statuses.has(507) && [...statuses].every((status) => status === 200 || status === 507), [...statuses].join());
  const listed = (await server.get(ENVIRONMENTS)).json._embedded.environments.length;
  assert.equal(listed, answers.filter(({ status }) => status === 200).length);
  const database = new DatabaseSync(join(disk, 'data', 'slipway.db'), { readOnly: true });
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
  await server.stop();
});

test('routes that need space are refused with 507 when there is little, and others are answered', async (context) => {
  const route = (method: Route['method'], changes?: 'configuration' | 'nothing'): Route => ({
    method,
    path: `/api/try-${method.toLowerCase()}-${changes ?? 'data'}`,
    version: null,
    permission: 'user',
    description: { chapter: 'version', summary: 'Try', ...(changes && { changes }) },
    handle: () => jsonAnswer({}),
  });
  const routes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).flatMap((method) => [
    route(method, 'configuration'),
    route(method, 'nothing'),
    route(method),
  ]);
  assert.deepEqual(
    routes.filter(needsSpace).map(({ path }) => path),
    ['/api/try-post-configuration', '/api/try-put-configuration', '/api/try-patch-configuration'],
  );
  let isFull = false;
  const disk = {
    refuseWhenFull: () => {
      if (isFull) throw new Refusal('insufficientStorage', 'no space', { retryAfter: 60 });
    },
  };
  const server = await TestServer.start({}, { routes: withSpaceGuard(routes, disk) });
  context.after(() => server.stop());
  const ask = async (method: string, path: string) => (await server.ask(method, path, { headers: { 'X-Svc-Confirm': 'true' } })).status;
  assert.equal(await ask('POST', '/api/try-post-configuration'), 200);
  isFull = true;
  const refused = await server.ask('PUT', '/api/try-put-configuration', { headers: { 'X-Svc-Confirm': 'true' } });
  assert.deepEqual([refused.status, refused.json, refused.headers.get('retry-after')], [507, { message: 'no space' }, '60']);
  assert.equal(await ask('PUT', '/api/try-put-configuration?dry_run=true'), 200);
  assert.equal(await ask('DELETE', '/api/try-delete-configuration'), 200);
  assert.equal(await ask('GET', '/api/try-get-configuration'), 200);
  assert.equal(await ask('POST', '/api/try-post-nothing'), 200);
});

/** The watch over free space would refuse before the disk is really full. */
async function startOn(disk: string): Promise<TestServer> {
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  return TestServer.start({ 'data-dir': dataDir, 'disk-full-mb': '0', 'disk-warning-mb': '0' });
}
