// The answer of a provider about a member is remembered for a while, longer when the provider is away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MembershipChecks } from './membership-checks.ts';

const MINUTE = 60_000;

test('a membership is checked again after ten minutes, and lasts an hour without an answer', async () => {
  let now = 0;
  let requests = 0;
  let answer: () => Promise<boolean> = async () => true;
  const checks = new MembershipChecks(() => now);
  const check = () =>
    checks.check('octo', () => {
      requests++;
      return answer();
    });
  assert.deepEqual([await check(), await check(), requests], [true, true, 1]);
  now = 11 * MINUTE;
  answer = () => Promise.reject(new Error('away'));
  assert.deepEqual([await check(), requests], [true, 2]);
  now = 61 * MINUTE;
  await assert.rejects(check(), /away/);
  answer = async () => false;
  assert.equal(await check(), false);
});
