// The table of sessions by a clock of its own, as two servers on one database use it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { Session } from '../../src/access/sessions/session.ts';
import { Sessions } from '../../src/access/sessions/sessions.ts';
import type { Database } from '../../src/store/database.ts';
import { SerialTableWrites } from '../../src/store/serial-table-writes.ts';
import { completeRestored } from '../../src/store/sqlite/restored-database.ts';
import { withoutEvents } from '../../src/store/write-with-events.ts';
import { ABOUT_EMBEDDED, openTestDatabase } from '../support/database/database.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const LIMITS = { idleMs: 60 * MINUTE, maxAgeMs: 24 * 60 * MINUTE };
const folder = mkdtempSync(join(tmpdir(), 'slipway-sessions-'));

let database: Database;
let now = 0;
let users = 0;
let ofOneServer: Sessions;
let ofOtherServer: Sessions;
let count = 0;

before(async () => {
  database = await openTestDatabase(join(folder, 'test.db'));
});
after(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  now = Date.parse('2026-01-31T09:30:00Z');
  ofOneServer = newSessions();
  ofOtherServer = newSessions();
});

function newSessions(): Sessions {
  const serialWrites = new SerialTableWrites(withoutEvents(database), database);
  return new Sessions({ database, serialWrites, limits: LIMITS, usersGeneration: () => users, now: () => now });
}

async function begun(more: Partial<Session> = {}): Promise<Session> {
  const times = { createdAt: now, usedAt: now };
  const about = { userKey: 'ann', authConfigId: 'file', passwordVersion: '', address: '127.0.0.1', browser: '' };
  const session = { hash: `hash ${++count}`, ...about, ...times, ...more };
  await ofOneServer.begin(session, () => {}, undefined);
  return session;
}

const fail = (failure: unknown) => assert.fail(String(failure));

test('a session that begins on one server is known there at once, and found on the other', async () => {
  const session = await begun();
  assert.deepEqual(ofOneServer.known(session.hash), session);
  assert.equal(ofOtherServer.known(session.hash), undefined);
  assert.deepEqual(await ofOtherServer.find(session.hash), session);
  assert.deepEqual(ofOtherServer.known(session.hash), session);
});

test('a session that the check of the user refuses is not stored', async () => {
  const refusal = new Error('no');
  const refuse = () => {
    throw refusal;
  };
  const session = { ...(await begun()), hash: 'refused' };
  await assert.rejects(ofOneServer.begin(session, refuse, undefined), refusal);
  assert.equal(await ofOtherServer.find('refused'), undefined);
});

test('a session that ends on another server is forgotten here once that is announced', async () => {
  const session = await begun();
  await ofOtherServer.end([session.hash]);
  ofOneServer.forget();
  assert.equal(ofOneServer.known(session.hash), undefined);
  assert.equal(await ofOneServer.find(session.hash), undefined);
});

test('a session that ends while it is looked for does not stay', async () => {
  const session = await begun();
  ofOneServer.forget();
  const found = ofOneServer.find(session.hash);
  const ended = ofOneServer.end([session.hash]);
  await Promise.all([found, ended]);
  assert.equal(ofOneServer.known(session.hash), undefined);
});

test('a cached session is looked up again when users have changed', async () => {
  const session = await begun();
  users++;
  assert.equal(ofOneServer.known(session.hash), undefined);
  assert.ok(await ofOneServer.find(session.hash));
});

test('a session lasts as long as it is used, on whichever server', async () => {
  const session = await begun();
  await ofOtherServer.find(session.hash);
  now += 50 * MINUTE;
  ofOneServer.noteUse(session);
  await ofOneServer.writeUses();
  now += 50 * MINUTE;
  assert.equal(ofOtherServer.known(session.hash), undefined);
  assert.ok(await ofOtherServer.find(session.hash), 'the use on the other server counts');
  now += 11 * MINUTE;
  assert.equal(await ofOtherServer.find(session.hash), undefined);
});

test('a use counts before it is written, also when memory is forgotten', async () => {
  const session = await begun();
  now += 50 * MINUTE;
  ofOneServer.noteUse(session);
  ofOneServer.forget();
  now += 50 * MINUTE;
  assert.ok(await ofOneServer.find(session.hash));
});

test('a use is never written over a later one', async () => {
  const session = await begun();
  ofOneServer.noteUse(session);
  now += MINUTE;
  ofOtherServer.noteUse(session);
  await ofOtherServer.writeUses();
  await ofOneServer.writeUses();
  ofOneServer.forget();
  assert.equal((await ofOneServer.find(session.hash))?.usedAt, now);
});

test('a session ends after its longest time, however it is used', async () => {
  const session = await begun();
  for (let hour = 0; hour < 23; hour++) {
    now += 59 * MINUTE;
    ofOneServer.noteUse(session);
  }
  assert.ok(ofOneServer.known(session.hash));
  now = session.createdAt + LIMITS.maxAgeMs;
  ofOneServer.noteUse(session);
  assert.equal(ofOneServer.known(session.hash), undefined);
  assert.equal(await ofOneServer.find(session.hash), undefined);
});

test('sessions that have expired are removed, the others stay', async () => {
  const rowOf = (hash: string) => database.query.selectFrom('sessions').select('hash').where('hash', '=', hash).executeTakeFirst();
  const old = await begun();
  const used = await begun();
  now += 61 * MINUTE;
  const young = await begun();
  ofOneServer.noteUse(used); // a use of the last moment is not written yet
  await ofOneServer.removeExpired();
  const exist = await Promise.all([old, used, young].map(async ({ hash }) => (await rowOf(hash)) !== undefined));
  assert.deepEqual(exist, [false, true, true]);
});

test('sessions of a source of users end with it', async () => {
  const theirs = await begun({ authConfigId: 'gone' });
  const others = await begun();
  await ofOneServer.endOfSource('gone');
  assert.equal(ofOneServer.known(theirs.hash), undefined);
  assert.ok(ofOneServer.known(others.hash));
});

test('an open stream hears of the end of its session, wherever that was', async () => {
  const session = await begun();
  assert.equal(ofOneServer.isOpen(session.hash, fail), true);
  await ofOtherServer.end([session.hash]);
  ofOneServer.forget();
  await until('the end of the session', () => !ofOneServer.isOpen(session.hash, fail));
});

test('a restored installation begins without sessions, so that no logout is undone', ABOUT_EMBEDDED, async () => {
  const path = join(folder, 'restored.db');
  const restored = await openTestDatabase(path);
  const who = { hash: 'old', user_key: 'ann', auth_config_id: '', password_mark: '', address: '', browser: '' };
  const row = { ...who, created_at: 1, used_at: 1, subject: '', provider_session: '', id_token: '' };
  await restored.writeTransaction([restored.query.insertInto('sessions').values(row).compile()]);
  await restored.close();
  completeRestored(path, { id: 1, message: '', endedAt: '', isVerified: true });
  const again = await openTestDatabase(path);
  assert.deepEqual(await again.query.selectFrom('sessions').selectAll().execute(), []);
  await again.close();
});

test('sessions of one user are listed newest first, without those of others', async () => {
  const first = await begun({ userKey: 'bob' });
  now += MINUTE;
  const second = await begun({ userKey: 'bob' });
  assert.deepEqual(
    (await ofOtherServer.of('bob')).map(({ hash }) => hash),
    [second.hash, first.hash],
  );
});
