// Senders with a real log, a real database and a real receiver, and little patience: the guarantees when something goes wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { EventLog } from '../../src/events/event-log.ts';
import { Poster } from '../../src/events/webhooks/post.ts';
import { WebhookSenders } from '../../src/events/webhooks/senders.ts';
import { HealthMessages } from '../../src/health/messages.ts';
import { NotKeeper } from '../../src/kit/concurrency/periodic/keeper.ts';
import { TRUSTED } from '../../src/kit/network/reach.ts';
import type { Database } from '../../src/store/database.ts';
import { type Queue, WebhookQueues } from '../../src/store/webhook-queues.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { eventually } from './eventually.ts';
import { Receiver, SECRET } from './receiver.ts';

const NO_FILTER = { types: [], actors: [], resources: [], ids: [] };
const folder = mkdtempSync(join(tmpdir(), 'slipway-senders-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let database: Database;
let log: EventLog;
let table: WebhookQueues;
let receiver: Receiver;
let senders: WebhookSenders;
let poster: Poster;
let faults: unknown[];
let secret: string | undefined;
let failsToNote: boolean;
let count = 0;

beforeEach(async () => {
  database = await openTestDatabase(join(folder, `${++count}.db`));
  log = await EventLog.open(database);
  await log.begun;
  table = new WebhookQueues(database, 'hooks');
  receiver = await Receiver.start();
  poster = new Poster({ networkPolicy: TRUSTED });
  faults = [];
  secret = SECRET;
  failsToNote = false;
  senders = makeSenders();
  await table.open('hook');
  await senders.start();
});
afterEach(async () => {
  await senders.stop();
  poster.close();
  await receiver.stop();
  await database.close();
});

function makeSenders(): WebhookSenders {
  const made = new WebhookSenders({
    log,
    table: {
      open: (webhook) => table.open(webhook),
      note: (queue, delivery) => (failsToNote ? Promise.reject(new Error('disk full')) : table.note(queue, delivery)),
      move: (queue) => table.move(queue),
    },
    poster,
    health: new HealthMessages(),
    userAgent: 'Slipway/0',
    onFault: (failure) => faults.push(failure),
    waitAfter: () => 5,
    enabled: () => [{ key: 'hook', id: 'hook', url: receiver.url, secret, filter: NO_FILTER, version: secret ?? 'none' }],
  });
  log.listen(() => made.wake());
  return made;
}

const write = (events: number) =>
  log.write([{ events: Array.from({ length: events }, () => ({ type: 'x', actor: null, about: [], data: {} })), statements: [] }]);
const upTo = (last: number) => Array.from({ length: last - 1 }, (_, index) => index + 2);

const waitForQueue = (isDone: (queue: Queue) => boolean) => eventually(() => table.open('hook'), isDone);

test('a receiver that is down for 1,000 events gets each once, in order, when it is back', { timeout: PATIENCE_MS }, async () => {
  let isDown = true;
  receiver.answer = (response) => void response.writeHead(isDown ? 503 : 200).end();
  for (let n = 0; n < 20; n++) await write(50);
  await receiver.until(() => receiver.received.length > 3);
  assert.ok(receiver.received.every(({ event }) => event.number === 2));
  isDown = false;
  await receiver.until(() => receiver.numbers.length >= 1000);
  await write(1);
  await receiver.until(() => receiver.numbers.at(-1) === log.last.number);
  assert.deepEqual(receiver.numbers, upTo(log.last.number));
});

test('a delivery that cannot be noted is not repeated while the server runs', async () => {
  failsToNote = true;
  await write(1);
  await receiver.until(() => receiver.numbers.length === 1 && faults.length === 1);
  failsToNote = false;
  await senders.stop();
  senders = makeSenders();
  await senders.start();
  await receiver.until(() => receiver.numbers.length === 2);
  assert.deepEqual(receiver.numbers, [2, 2], 'another process cannot know');
  await write(1);
  await receiver.until(() => receiver.numbers.length === 3);
  assert.deepEqual(receiver.numbers, [2, 2, 3]);
});

test('new events do not shorten the wait after a failure', async () => {
  receiver.answer = (response) => void response.writeHead(500).end();
  for (let n = 0; n < 30; n++) await write(1);
  await receiver.until(() => receiver.received.length >= 3);
  const attempts = receiver.received.map(({ headers }) => Number(headers['x-svc-attempt']));
  assert.deepEqual(
    attempts,
    attempts.map((_, index) => index + 1),
  );
});

test('a secret that cannot be opened keeps events waiting, and says so', async () => {
  secret = undefined;
  senders.follow();
  await write(1);
  const { last_error } = await waitForQueue(({ failures }) => failures >= 2);
  assert.match(last_error!, /encrypted with another key/);
  assert.deepEqual(receiver.received, []);
  secret = SECRET;
  senders.follow();
  await receiver.until(() => receiver.numbers.length === 1);
});

test('no more than 200 deliveries are kept', async () => {
  await write(260);
  await receiver.until(() => receiver.numbers.length === 260);
  const { id } = await waitForQueue(({ position }) => position === log.last.number);
  const kept = await table.deliveries(id, 1000);
  assert.deepEqual(
    kept.map(({ event }) => event),
    receiver.numbers.slice(-200).toReversed(),
  );
});

test('between a stop and a start nothing is delivered, and deliveries of other servers are not repeated', async () => {
  await write(2);
  await receiver.until(() => receiver.numbers.length === 2);
  // A delivery that was not noted before a stop is repeated.
  await waitForQueue(({ position }) => position === log.last.number);
  await senders.stop();
  await write(5);
  senders.follow();
  senders.wake();
  await assert.rejects(senders.moveTo('hook', 1), NotKeeper);
  const other = makeSenders();
  await other.start();
  await receiver.until(() => receiver.numbers.length === 7);
  await waitForQueue(({ position }) => position === log.last.number);
  await other.stop();
  await write(3);
  await senders.start();
  await receiver.until(() => receiver.numbers.length === 10);
  await waitForQueue(({ position }) => position === log.last.number);
  assert.deepEqual(receiver.numbers, upTo(log.last.number));
});

test('a delivery under way at a stop is cut off and waited for, and delivered again', async () => {
  let isHanging = true;
  receiver.answer = (response) => {
    if (!isHanging) response.writeHead(200).end();
  };
  await write(1);
  await receiver.until(() => receiver.received.length === 1);
  await senders.stop();
  const { position, failures } = await table.open('hook');
  assert.deepEqual([position, failures], [1, 0], 'to be cut off is no failure of the receiver');
  isHanging = false;
  await senders.start();
  await receiver.until(() => receiver.received.length === 2);
  await waitForQueue((queue) => queue.position === 2);
});

test('a position that is set right before a stop counts at the next start', async () => {
  await write(3);
  await receiver.until(() => receiver.numbers.length === 3);
  const moved = senders.moveTo('hook', 3);
  await senders.stop();
  await moved;
  await senders.start();
  const times = (event: number) => receiver.numbers.filter((number) => number === event).length;
  await receiver.until(() => times(3) >= 2 && times(4) >= 2);
  assert.equal(times(2), 1);
});
