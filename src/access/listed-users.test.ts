import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListed } from './listed-users.ts';

test('a user is found in any letter case, in short and in long lists', () => {
  for (const length of [1, 20, 21, 500]) {
    const users = Array.from({ length }, (_, index) => `User${index}`);
    assert.ok(isListed(users, 'user0') && isListed(users, `user${length - 1}`));
    assert.ok(!isListed(users, `user${length}`) && !isListed(users, ''));
  }
  assert.ok(!isListed([], 'user0'));
});

test('a long list is read once, however many users are asked about', () => {
  let reads = 0;
  const users = new Proxy(
    Array.from({ length: 500 }, (_, index) => `u${index}`),
    {
      get: (list, member, receiver) => {
        if (typeof member === 'string' && /^\d+$/.test(member)) reads++;
        return Reflect.get(list, member, receiver);
      },
    },
  );
  for (let index = 0; index < 500; index++) assert.ok(isListed(users, `u${index}`));
  assert.equal(reads, 500);
});
