import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEvent } from '../store/write-with-events.ts';
import { FailedLogins } from './failed-logins.ts';

const MINUTE = 60_000;
const failed = { loginName: 'jez', address: '192.0.2.7', by: 'password', tokenId: null } as const;

test('a few failed logins are published one by one, masses once a minute, and none is forgotten', () => {
  let now = 0;
  const events: NewEvent[] = [];
  const logins = new FailedLogins(
    (event) => events.push(event),
    () => now,
  );
  const counted = () => events.reduce((sum, { data }) => sum + 1 + Number(data.omitted), 0);
  for (let n = 0; n < 10; n++) logins.add(failed);
  assert.equal(events.length, 10);
  for (let n = 10; n < 100_000; n++) logins.add(failed);
  assert.equal(events.length, 60);
  for (now = MINUTE; now <= 5 * MINUTE; now += MINUTE) {
    logins.publishOmitted();
    for (let n = 0; n < 1000; n++) logins.add(failed);
  }
  assert.equal(events.length, 65);
  now = 6 * MINUTE;
  logins.publishOmitted();
  assert.equal(counted(), 105_000);
  logins.publishOmitted();
  assert.equal(events.length, 66);
});

test('a known user or token is named, and a missing login name is not', () => {
  const events: NewEvent[] = [];
  const logins = new FailedLogins((event) => events.push(event));
  logins.add(failed);
  logins.add({ loginName: null, address: '::1', by: 'token', tokenId: 7 });
  assert.deepEqual(
    events.map(({ about, data }) => ({ about, data })),
    [
      { about: [{ resource: 'users', id: 'jez' }], data: { address: '192.0.2.7', by: 'password', omitted: 0 } },
      { about: [{ resource: 'access_tokens', id: '7' }], data: { address: '::1', by: 'token', omitted: 0 } },
    ],
  );
});
