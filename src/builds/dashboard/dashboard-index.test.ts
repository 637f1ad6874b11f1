import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import type { DashboardRows } from '../../store/builds/dashboard-rows.ts';
import { DashboardIndex } from './dashboard-index.ts';

/** An index over tables that the test writes. */
function lab(names: string[]) {
  const locked = new Set<string>();
  const reads: (readonly string[])[] = [];
  const failures: unknown[] = [];
  const state = { isBroken: false };
  const index = new DashboardIndex({
    reader: {
      read: async (keys): Promise<DashboardRows> => {
        reads.push(keys);
        if (state.isBroken) throw new Error('broken');
        return { runs: [], stageRuns: [], jobs: [], previous: [], locked: new Set(locked), pauses: [] };
      },
    },
    keys: () => names,
    find: (key) =>
      names.includes(key)
        ? { key, name: key, group: 'g', environment: null, template: null, repo: null, trackingTool: null, stages: [] }
        : undefined,
    now: () => 0,
    onFailure: (failure) => failures.push(failure),
  });
  return { index, locked, reads, failures, state };
}

const names = (index: DashboardIndex) => index.rows().map(({ facts }) => facts.pipeline.name);

test('only pipelines that were touched are read again', async () => {
  const { index, locked, reads } = lab(['b', 'a']);
  index.start();
  await index.current();
  assert.deepEqual(names(index), ['a', 'b']);
  await index.current();
  assert.equal(reads.length, 1);
  const { version, epoch } = index;
  locked.add('a');
  index.touch(['a']);
  await index.current();
  assert.deepEqual(reads.at(-1), ['a']);
  assert.equal(index.find('a')?.facts.isLocked, true);
  assert.deepEqual(
    index.changesSince(epoch, version)?.map(({ key }) => key),
    ['a'],
  );
  await index.stop();
});

test('a row that is the same as before has not changed', async () => {
  const { index } = lab(['a']);
  index.start();
  await index.current();
  const [{ version }, row] = [index, index.find('a')];
  index.touch(['a']);
  await index.current();
  assert.equal(index.version, version);
  assert.equal(index.find('a'), row);
  await index.stop();
});

test('rows come and go with their pipelines', async () => {
  const known = ['a'];
  const { index } = lab(known);
  index.start();
  await index.current();
  const { version, epoch } = index;
  known.splice(0, 1, 'b');
  index.touch(['a', 'b']);
  await index.current();
  assert.deepEqual(names(index), ['b']);
  assert.deepEqual(
    index.changesSince(epoch, version)?.map(({ key, from }) => [key, from]),
    [
      ['a', 'g'],
      ['b', undefined],
    ],
  );
  await index.stop();
});

test('another start counts anew, and knows no changes from before', async () => {
  const { index } = lab(['a']);
  index.start();
  await index.current();
  const { epoch, version } = index;
  await index.stop();
  await assert.rejects(index.current(), NotKeeper);
  assert.throws(() => index.loadedWithin(0), NotKeeper);
  assert.deepEqual(index.rows(), []);
  index.start();
  assert.equal(await index.loadedWithin(60_000), true);
  assert.notEqual(index.epoch, epoch);
  assert.equal(index.changesSince(epoch, version), undefined);
  assert.equal(index.changesSince(index.epoch, index.version + 1), undefined);
  await index.stop();
});

test('a failed read is reported, and tried again later', async () => {
  const { index, state, failures, locked } = lab(['a']);
  index.start();
  await index.current();
  state.isBroken = true;
  locked.add('a');
  index.touch(['a']);
  await index.current();
  assert.equal(failures.length, 1);
  assert.equal(index.find('a')?.facts.isLocked, false);
  state.isBroken = false;
  await index.current();
  assert.equal(index.find('a')?.facts.isLocked, true);
  await index.stop();
});

test('before the first read is complete, callers that cannot wait get false', async () => {
  const { index, state } = lab(['a']);
  state.isBroken = true;
  index.start();
  assert.equal(await index.loadedWithin(1), false);
  await index.stop();
});
