import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredEvent } from '../stored-event.ts';
import { backlogOf } from './backlog.ts';

const NO_FILTER = { types: [], actors: [], resources: [], ids: [] };
const BACKUPS = { ...NO_FILTER, types: ['backup.*'] };

/** Every tenth event is of a backup. */
function logOf(newest: number) {
  const typeOf = (number: number) => (number % 10 === 0 ? 'backup.ended' : 'configuration.changed');
  let scanned = 0;
  const event = (number: number) => {
    const body = JSON.stringify({ number, time: '', type: typeOf(number), actor: null, about: [], data: {}, previous_hash: '' });
    return new StoredEvent({ number, body, hash: '' });
  };
  return {
    last: { number: newest, hash: '' },
    after: async (number: number, limit: number) => {
      const count = Math.max(0, Math.min(limit, newest - number));
      scanned += count;
      return Array.from({ length: count }, (_, index) => event(number + index + 1));
    },
    scanned: () => scanned,
  };
}

test('without a filter all events after the position wait, and none is read', async () => {
  const log = logOf(100_000);
  assert.deepEqual(await backlogOf(log, NO_FILTER, 10), { waiting: 99_990, uncounted: 0 });
  assert.equal(log.scanned(), 0);
});

test('with a filter the events that it wants wait', async () => {
  assert.deepEqual(await backlogOf(logOf(1009), BACKUPS, 5), { waiting: 100, uncounted: 0 });
  assert.deepEqual(await backlogOf(logOf(1009), BACKUPS, 1000), { waiting: 0, uncounted: 0 });
});

test('no event waits when the webhook is at the newest, or was further before a restore', async () => {
  for (const filter of [NO_FILTER, BACKUPS])
    for (const position of [70, 90]) assert.deepEqual(await backlogOf(logOf(70), filter, position), { waiting: 0, uncounted: 0 });
});

test('a limited number of events is read, and how many were not is reported', async () => {
  const log = logOf(20_000);
  assert.deepEqual(await backlogOf(log, BACKUPS, 0), { waiting: 500, uncounted: 15_000 });
  assert.equal(log.scanned(), 5000);
});
