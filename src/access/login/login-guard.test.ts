import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { LoginGuard } from './login-guard.ts';

const PASSWORD = 'right';
const HOME = '192.0.2.1';

/** A guard with a clock of its own, which notes how long it held tries back. */
function lab() {
  const clock = { now: 1_000_000 };
  const delays: number[] = [];
  const guard = new LoginGuard({
    now: () => clock.now,
    delay: async (milliseconds) => {
      delays.push(milliseconds);
    },
  });
  const login = (password: string, address = HOME, name = 'ann') =>
    guard.run({ login: name, address, key: `${name}:${password}@${address}` }, async () => (password === PASSWORD ? 'in' : undefined));
  return { clock, delays, guard, login };
}

describe('a right password', () => {
  test('is not locked out by any number of wrong ones from other addresses, only made slower', async () => {
    const { delays, login } = lab();
    for (let index = 0; index < 250; index++) assert.equal(await login('wrong', `198.51.100.${index}`), undefined);
    delays.length = 0;
    assert.equal(await login(PASSWORD), 'in');
    assert.deepEqual(delays, [2000]);
  });

  test('is not made slower by them at an address where it was right not long ago', async () => {
    const { clock, delays, login } = lab();
    assert.equal(await login(PASSWORD), 'in');
    for (let index = 0; index < 250; index++) assert.equal(await login('wrong', `198.51.100.${index}`), undefined);
    delays.length = 0;
    assert.equal(await login(PASSWORD), 'in');
    assert.deepEqual(delays, []);
    clock.now += 2 * 60 * 60_000;
    for (let index = 0; index < 250; index++) assert.equal(await login('wrong', `198.51.100.${index}`), undefined);
    delays.length = 0;
    assert.equal(await login(PASSWORD), 'in');
    assert.deepEqual(delays, [2000]);
  });

  test('has to wait after wrong ones of the same user from the same address, even if it was right there before', async () => {
    const { clock, login } = lab();
    assert.equal(await login(PASSWORD), 'in');
    for (let index = 0; index < 5; index++) assert.equal(await login(`wrong-${index}`), undefined);
    await assert.rejects(login(PASSWORD), { kind: 'tooMany', message: 'Too many failed logins. Try again in 1 second.' });
    assert.equal(await login(PASSWORD, '192.0.2.2'), 'in');
    clock.now += 1000;
    assert.equal(await login(PASSWORD), 'in');
  });
});

test('a flood of tries of one user from one address is refused at once, without refusing other users', async () => {
  const { guard, login } = lab();
  let checks = 0;
  const release = Promise.withResolvers<void>();
  const tries = Array.from({ length: 10_000 }, (_, index) =>
    guard.run({ login: 'ann', address: HOME, key: String(index) }, async () => {
      checks++;
      await release.promise;
      return undefined;
    }),
  );
  const refused = tries.slice(100).map((attempt) => assert.rejects(attempt, { kind: 'tooMany', message: /^Too many logins of this user/ }));
  await Promise.all(refused); // none of them waits for a check that has begun
  assert.equal(await login(PASSWORD, '192.0.2.7'), 'in');
  release.resolve();
  await Promise.allSettled(tries);
  assert.ok(checks <= 5, String(checks));
  assert.ok((await Promise.allSettled([login(PASSWORD)]))[0]!.status === 'rejected'); // locked out for a while
});

test('addresses of one IPv6 network count as one', async () => {
  const { login } = lab();
  for (let index = 1; index <= 5; index++) assert.equal(await login('wrong', `2001:db8::${index}`), undefined);
  await assert.rejects(login(PASSWORD, '2001:db8::99'), { kind: 'tooMany' });
  assert.equal(await login(PASSWORD, '2001:db8:0:1::99'), 'in');
});

test('a flood of new names from one address does not keep those of others waiting', async () => {
  const guard = new LoginGuard();
  let isOver = false;
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const flood = Array.from({ length: 150 }, (_, index) =>
    guard.run({ login: `new-${index}`, address: '198.51.100.1', key: `${index}` }, () => end),
  );
  void Promise.all(flood).then(() => {
    isOver = true;
  });
  await turn();
  assert.equal(await guard.run({ login: 'ann', address: HOME, key: 'k' }, async () => 'in'), 'in');
  assert.equal(isOver, false);
  resolve(undefined);
  await Promise.all(flood);
});

test('the number of logins that wait for one address is bounded', async () => {
  const guard = new LoginGuard();
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const flood = Array.from({ length: 300 }, (_, index) =>
    guard
      .run({ login: `new-${index}`, address: '198.51.100.1', key: `${index}` }, () => end)
      .catch((refusal: { kind: string }) => refusal.kind),
  );
  await turn();
  resolve(undefined);
  const kinds = await Promise.all(flood);
  assert.equal(kinds.filter((kind) => kind === 'tooMany').length, 300 - 200 - 8);
});

test('spellings that a directory takes for one name are tries of one user', async () => {
  const { login } = lab();
  const spellings = ['ann', ' ann', 'ANN  ', 'ａnn', 'Ann'];
  const tries = Array.from({ length: 30 }, (_, index) => () => login(`wrong ${index}`, HOME, spellings[index % spellings.length]!));
  await assert.rejects(async () => {
    for (const attempt of tries) await attempt();
  }, /Too many failed logins/);
});
