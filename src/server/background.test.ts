// The order in which background work starts and stops, also when a part fails.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type BackgroundWork, backgroundWork } from './background.ts';

const STARTS = ['+backup', '+materials', '+mail', '+events', '+builds', '+jobs', '+configRepos'];
const STOPS = ['-backup', '-jobs', '-builds', '-configRepos', '-materials', '-mail', '-events'];

let steps: string[];
let failing: Set<string>;
let faults: unknown[];
let background: BackgroundWork;
beforeEach(() => {
  steps = [];
  failing = new Set();
  faults = [];
  background = backgroundWork({
    backup: partNamed('backup'),
    materials: partNamed('materials'),
    mail: partNamed('mail'),
    events: partNamed('events'),
    configRepos: partNamed('configRepos'),
    builds: partNamed('builds'),
    runner: { startKeeperJobs: () => void steps.push('+jobs'), stopKeeperJobs: () => step('-jobs') },
    log: { info: () => {}, warn: () => {}, error: (facts) => faults.push((facts as { part: string }).part) },
  });
});

function partNamed(name: string): BackgroundWork {
  return { start: () => step(`+${name}`), stop: () => step(`-${name}`) };
}

async function step(name: string): Promise<void> {
  steps.push(name);
  await new Promise((resolve) => setImmediate(resolve));
  if (failing.has(name)) throw new Error(name);
}

test('the background work starts and stops any number of times, in a fixed order', async () => {
  for (let turn = 0; turn < 2; turn++) {
    steps = [];
    await background.start();
    await background.start();
    assert.deepEqual(steps, STARTS);
    steps = [];
    await background.stop();
    await background.stop();
    assert.deepEqual(steps, STOPS);
  }
});

test('a stop during a start waits for it, and the next start for the stop', async () => {
  await Promise.all([background.start(), background.stop(), background.start()]);
  assert.deepEqual(steps, [...STARTS, ...STOPS, ...STARTS]);
});

test('the work can be tried again when a part cannot start', async () => {
  failing.add('+events');
  await assert.rejects(background.start(), /\+events/);
  assert.deepEqual(steps, [...STARTS.slice(0, 4), ...STOPS]);
  await background.stop();
  failing.clear();
  steps = [];
  await background.start();
  assert.deepEqual(steps, STARTS);
});

test('a part that does not stop as it should does not keep others from it', async () => {
  await background.start();
  steps = [];
  failing.add('-materials');
  await background.stop();
  assert.deepEqual([steps, faults], [STOPS, ['materials']]);
  await background.start();
});
