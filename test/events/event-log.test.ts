// The log of events in a real database: numbered without gaps, chained, and written together with the changes it records.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { EventLog } from '../../src/events/event-log.ts';
import { StoredEvent } from '../../src/events/stored-event.ts';
import { verifyChain } from '../../src/events/verify-chain.ts';
import type { Database } from '../../src/store/database.ts';
import type { NewEvent, WriteWithEvents } from '../../src/store/write-with-events.ts';
import { openTestDatabase } from '../support/database/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-events-'));
const databases: Database[] = [];
after(async () => {
  for (const database of databases) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

let database: Database;
let log: EventLog;
let received: StoredEvent[];
beforeEach(async () => {
  database = await openTestDatabase(join(folder, `${databases.length}.db`));
  databases.push(database);
  log = await EventLog.open(database);
  await log.begun;
  received = [];
  log.listen((events) => received.push(...events));
});

const event = (n: number): NewEvent => ({
  type: 'backup.started',
  actor: 'jez',
  about: [{ resource: 'backups', id: String(n) }],
  data: { n },
});
const pause = (key: string) => database.query.insertInto('pipeline_pauses').values({ key, cause: '', by: 'jez', at: '' }).compile();
const pauseWithEvent = (n: number): WriteWithEvents => ({ events: [event(n)], statements: [pause(`p-${n}`)] });
const pauses = async () => (await database.query.selectFrom('pipeline_pauses').select('key').execute()).map(({ key }) => key);

async function all(): Promise<readonly StoredEvent[]> {
  const rows = await database.query.selectFrom('events').selectAll().orderBy('number').execute();
  const names = { asOf: 0, rows: [] };
  const pages = ReadableStream.from([rows]);
  const verdict = await verifyChain({
    rows: pages,
    revisionAt: async () => undefined,
    entitiesOf: async () => [],
    newestRevision: 0,
    names,
  });
  assert.ok(verdict.isWhole, JSON.stringify(verdict));
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from(rows, (_, index) => index + 1),
  );
  return rows.map((row) => new StoredEvent(row));
}

/** The number that each event was made with. */
const marks = (events: readonly StoredEvent[]) => events.map(({ content }) => content.data.n);

describe('numbers and hashes', () => {
  test('the first event says from which revision on there are events', async () => {
    const [first] = await all();
    assert.equal(first!.content.type, 'events.begun');
    assert.deepEqual(first!.content.data, { revision: 0 });
    assert.equal(first!.content.previous_hash, '0'.repeat(64));
  });

  test('each event holds the hash of the one before it, and its own hash is that of its body', async () => {
    await log.write([pauseWithEvent(1), pauseWithEvent(2)]);
    const [begun, one, two] = await all();
    assert.equal(one!.content.previous_hash, begun!.hash);
    assert.equal(two!.content.previous_hash, one!.hash);
    assert.deepEqual(JSON.parse(one!.json), { ...one!.content, hash: one!.hash });
  });

  test('the content is in the order that is documented', async () => {
    await log.write([pauseWithEvent(1)]);
    assert.deepEqual(Object.keys(JSON.parse((await all())[1]!.body)), [
      'number',
      'time',
      'type',
      'actor',
      'about',
      'data',
      'previous_hash',
    ]);
  });

  test('writers of all kinds at once leave neither gaps nor forks, and each is published in order', async () => {
    const many = Array.from({ length: 600 }, (_, n) => pause(`large-${n}`));
    const writes: Promise<void>[] = [];
    for (let n = 1; n <= 40; n++) {
      if (n === 10)
        writes.push(log.write([{ events: [event(n)], statements: many }])); // written by a thread beside
      else if (n % 3 === 0) writes.push(log.write([pauseWithEvent(n)]));
      else writes.push(log.add(event(n)));
      if (n % 7 === 0) await new Promise(setImmediate);
    }
    await Promise.all(writes);
    const kept = await all();
    assert.equal(kept.length, 41);
    assert.deepEqual(marks(received), marks(kept.slice(1)));
    assert.deepEqual(
      marks(received).toSorted((one, other) => Number(one) - Number(other)),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  test('a log that is opened again goes on where it was', async () => {
    await log.write([pauseWithEvent(1)]);
    log = await EventLog.open(database);
    await log.write([pauseWithEvent(2)]);
    assert.deepEqual(marks((await all()).slice(1)), [1, 2]);
  });
});

describe('an event that is written together with the change it reports', () => {
  test('an event is written', async () => {
    await log.write([pauseWithEvent(1), pauseWithEvent(2)]);
    assert.deepEqual(await pauses(), ['p-1', 'p-2']);
  });

  test('a failed write leaves no event, tells no listener, and leaves no gap', async () => {
    await log.write([pauseWithEvent(1)]);
    await assert.rejects(log.write([pauseWithEvent(2), pauseWithEvent(1)]), /unique/i);
    await log.write([pauseWithEvent(3)]);
    assert.deepEqual(await pauses(), ['p-1', 'p-3']);
    assert.deepEqual(marks((await all()).slice(1)), [1, 3]);
    assert.deepEqual(marks(received), [1, 3]);
  });

  test('a write of which only the answer was lost is followed by the right one', async () => {
    const { writeTransaction } = database;
    const forgetful = await EventLog.open({
      ...database,
      writeTransaction: async (statements) => {
        await writeTransaction(statements);
        if (statements.length === 2) throw new Error('the answer is lost');
      },
    });
    await assert.rejects(forgetful.write([pauseWithEvent(1)]), /lost/);
    await forgetful.add(event(2));
    assert.deepEqual(marks((await all()).slice(1)), [1, 2]);
  });

  test('statements of a write see the events of that write, and not later ones', async () => {
    const count = database.query
      .insertInto('pipeline_pauses')
      .values((select) => ({
        key: select.selectFrom('events').select(({ fn, cast }) => cast<string>(fn.max('number'), 'text').as('key')) as never,
        cause: '',
        by: '',
        at: '',
      }))
      .compile();
    await log.write([pauseWithEvent(1), { events: [event(2)], statements: [count] }, pauseWithEvent(3)]);
    assert.ok((await pauses()).includes('3'));
  });
});

describe('reading', () => {
  test('events after a number come oldest first, and those before one newest first', async () => {
    for (let n = 1; n <= 5; n++) await log.write([pauseWithEvent(n)]);
    const reopened = await EventLog.open(database); // has none of them at hand
    for (const one of [log, reopened]) {
      assert.deepEqual(marks(await one.after(3, 2)), [3, 4]);
      assert.deepEqual(marks(await one.after(6, 2)), []);
      assert.deepEqual(marks(await one.before(4, 2)), [2, 1]);
    }
    assert.equal(reopened.cachedAfter(3, 2), undefined);
    assert.deepEqual(reopened.cachedAfter(6, 2), []);
  });

  test('events that were added before are on disk when the log has settled', async () => {
    void log.add(event(1));
    await log.settle();
    assert.deepEqual(marks((await all()).slice(1)), [1]);
  });
});
