// The addresses that a connection looks up are those that are checked.
import assert from 'node:assert/strict';
import type { LookupAddress, LookupOptions, lookup } from 'node:dns';
import { test } from 'node:test';
import { guardedConnection, guardedLookup } from './guarded-lookup.ts';
import { ForbiddenAddress, type NetworkPolicy, TRUSTED } from './reach.ts';

const REACH: NetworkPolicy = { ...TRUSTED, loopback: 'this machine.' };

/** A resolver that gives one answer after the other. */
function resolver(...answers: readonly (readonly string[])[]): typeof lookup {
  const left = [...answers];
  return ((_host: string, _options: object, answer: (failure: null, found: LookupAddress[]) => void) =>
    answer(
      null,
      left.shift()!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as typeof lookup;
}

function ask(resolveName: typeof lookup, options: LookupOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) =>
    guardedLookup(REACH, resolveName)('name.example', options, (failure, found) => (failure ? reject(failure) : resolve(found))),
  );
}

test('a name that means another address the second time is refused then', async () => {
  const resolveName = resolver(['93.184.215.14'], ['169.254.169.254'], ['127.0.0.1']);
  assert.equal(await ask(resolveName), '93.184.215.14');
  await assert.rejects(
    ask(resolveName),
    (failure: Error) => failure instanceof ForbiddenAddress && /^name\.example leads to a link-local/.test(failure.message),
  );
  await assert.rejects(ask(resolveName), /^Error: name\.example leads to this machine\.$/);
});

test('one forbidden address among several is enough, and none of them is revealed', async () => {
  const failure = await ask(resolver(['93.184.215.14', 'fe80::1']), { all: true }).catch((reason: unknown) => reason);
  assert.ok(failure instanceof ForbiddenAddress);
  assert.doesNotMatch(failure.message, /fe80|93\.184/);
});

test('a caller that asks for all addresses gets all', async () => {
  assert.deepEqual(await ask(resolver(['1.1.1.1', '2606:4700::1111']), { all: true }), [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
});

test('bare addresses are judged before there is a connection', () => {
  for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '127.0.0.1', '[::1]', 'fe80::1%eth0'])
    assert.throws(() => guardedConnection(host, REACH), ForbiddenAddress, host);
  for (const host of ['10.0.0.1', '[2606:4700::1111]', 'name.example'])
    assert.equal(typeof guardedConnection(host, REACH).lookup, 'function');
});
