// Tests that preflights wait only for those they have to.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { PreflightLanes } from './lanes.ts';

const LIMITS = { maxRunning: 2, waiting: 8, maxWaitMs: 60_000 };
let gate: PromiseWithResolvers<void>;
let hung: Promise<unknown>[];
beforeEach(() => {
  gate = Promise.withResolvers();
  hung = [];
});
afterEach(async () => {
  gate.resolve();
  await Promise.all(hung);
});
/** Until the end of the test. */
const hangs = () => gate.promise;
const done = async () => 'done';

test('files are checked while checks of refs hang', async () => {
  const lanes = new PreflightLanes(LIMITS);
  for (const repo of ['a', 'b', 'c', 'a']) hung.push(lanes.forRef(repo, hangs));
  assert.equal(await lanes.forFiles(done), 'done');
});

test('however many checks of one repo hang, another repo is checked', async () => {
  const lanes = new PreflightLanes(LIMITS);
  for (let count = 0; count < 5; count++) hung.push(lanes.forRef('a', hangs));
  assert.equal(await lanes.forRef('b', done), 'done');
});

test('checks of one repo run one after the other, also after a failure', async () => {
  const lanes = new PreflightLanes(LIMITS);
  const failing = assert.rejects(lanes.forRef('a', () => Promise.reject(new Error('no'))));
  assert.equal(await lanes.forRef('a', done), 'done');
  await failing;
});

test('too many checks are refused, with the time to wait', async () => {
  const lanes = new PreflightLanes({ maxRunning: 1, waiting: 0, maxWaitMs: 1 });
  hung.push(lanes.forFiles(hangs));
  await assert.rejects(lanes.forFiles(done), /Too many preflights are running/);
});
