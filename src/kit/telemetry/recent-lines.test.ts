// Tests of the last lines of the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentLines } from './recent-lines.ts';

test('the newest thousand lines are kept, the oldest first', () => {
  const recent = new RecentLines();
  for (let number = 0; number < 1003; number++) recent.add('info', { number }, 'a line');
  const numbers = recent.all().map((line) => JSON.parse(line).number);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [1000, 3, 1002]);
});

test('failures are described, addresses left out, long lines cut', () => {
  const recent = new RecentLines();
  recent.add('error', { err: new TypeError('wrong'), address: '10.1.2.3' }, 'failed');
  recent.add('warn', { text: 'x'.repeat(5000) }, 'long');
  const [first, second] = recent.all();
  const { level, err, msg } = JSON.parse(first!);
  assert.deepEqual([level, err.type, err.message, msg], ['error', 'TypeError', 'wrong', 'failed']);
  assert.ok(!first!.includes('10.1.2.3'));
  assert.equal(second!.length, 2001);
});
