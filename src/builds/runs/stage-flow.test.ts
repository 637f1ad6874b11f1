import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JobResult } from '../../store/rows/builds.ts';
import { type AfterStage, afterStage, type FlowPipeline, type FlowRun, type FlowStageRun } from './stage-flow.ts';

const stage = (name: string, type = 'success') => ({ name, approval: { type, allowOnlyOnSuccess: false } });
const PIPELINE: FlowPipeline = {
  name: 'web',
  stages: [stage('build'), stage('test'), stage('deploy')],
  lockBehavior: 'none',
  isPaused: false,
  lockedBy: null,
};
/** `active`, or a result. */
type Word = Exclude<JobResult, 'Unknown'> | 'active';

/** A run with the same number as id and counter. */
function run(counter: number, stages: Readonly<Record<string, Word>>): FlowRun {
  const runs = Object.entries(stages).map(
    ([name, word]): FlowStageRun => ({
      stage: name,
      counter: 1,
      result: word === 'active' ? 'Unknown' : word,
      isActive: word === 'active',
    }),
  );
  return { run: counter, counter, stages: runs };
}

const nothing: AfterStage = { start: [], held: null, skipped: [], releasesLock: false };
const start = (runId: number, name: string, takesLock = false) => ({ run: runId, stage: name, takesLock });

describe('the next stage', () => {
  test('starts when the one before passed, with names in any letter case', () => {
    assert.deepEqual(afterStage(PIPELINE, run(1, { build: 'Passed' }), 'BUILD', []), { ...nothing, start: [start(1, 'test')] });
  });

  test('starts again after the one before was run again', () => {
    const again = run(1, { build: 'Passed', test: 'Failed', deploy: 'Passed' });
    assert.deepEqual(afterStage(PIPELINE, again, 'build', []), { ...nothing, start: [start(1, 'test')] });
  });

  test('starts while other stages of other runs are active', () => {
    const other = run(2, { build: 'active' });
    assert.deepEqual(afterStage(PIPELINE, run(1, { build: 'Passed' }), 'build', [other]), { ...nothing, start: [start(1, 'test')] });
  });

  test('is none after the last one', () => {
    assert.deepEqual(afterStage(PIPELINE, run(1, { build: 'Passed', test: 'Passed', deploy: 'Passed' }), 'deploy', []), nothing);
  });

  test('is none after one that is gone from the configuration', () => {
    assert.deepEqual(afterStage(PIPELINE, run(1, { old: 'Passed' }), 'old', [run(2, { build: 'Passed' })]), nothing);
  });

  const held = (rule: string) => ({ ...nothing, held: { stage: 'test', rule } });
  for (const result of ['Failed', 'Cancelled'] as const)
    test(`does not start when the one before is ${result}`, () => {
      assert.deepEqual(afterStage(PIPELINE, run(1, { build: result }), 'build', []), held('not_passed'));
    });

  test('does not start by itself when it is manual', () => {
    const manual = { ...PIPELINE, stages: [stage('build'), stage('test', 'manual')] };
    assert.deepEqual(afterStage(manual, run(1, { build: 'Passed' }), 'build', []), held('manual'));
  });

  test('does not start while the pipeline is paused', () => {
    assert.deepEqual(afterStage({ ...PIPELINE, isPaused: true }, run(1, { build: 'Passed' }), 'build', []), held('paused'));
  });

  for (const counter of [1, 9])
    test(`does not start while it is active in run ${counter}`, () => {
      const other = run(counter, { build: 'Passed', TEST: 'active' });
      assert.deepEqual(afterStage(PIPELINE, run(5, { build: 'Passed' }), 'build', [other]), held('busy'));
    });

  test('does not start while another run holds the lock', () => {
    const locked = { ...PIPELINE, lockBehavior: 'lockOnFailure', lockedBy: 9 };
    assert.deepEqual(afterStage(locked, run(1, { build: 'Passed' }), 'build', []), held('locked'));
  });
});

describe('runs that waited for the stage', () => {
  const done = run(1, { build: 'Passed', test: 'Failed' });

  test('go on with the newest; those between are skipped, also when the stage failed in this run', () => {
    const others = [run(2, { build: 'Passed' }), run(4, { build: 'Passed' }), run(3, { build: 'Passed' })];
    const after = afterStage(PIPELINE, done, 'test', others);
    assert.deepEqual(after, { ...nothing, start: [start(4, 'test')], held: { stage: 'deploy', rule: 'not_passed' }, skipped: [3, 2] });
  });

  test('go on beside this run: this run with the next stage, the newest with this stage', () => {
    const after = afterStage(PIPELINE, run(1, { build: 'Passed', test: 'Passed' }), 'test', [run(2, { build: 'Passed' })]);
    assert.deepEqual(after, { ...nothing, start: [start(1, 'deploy'), start(2, 'test')] });
  });

  const TABLE: readonly (readonly [string, FlowRun])[] = [
    ['an older run', run(0, { build: 'Passed' })],
    ['a run that has run it', run(2, { build: 'Passed', test: 'Failed' })],
    ['a run whose stage before failed', run(2, { build: 'Failed' })],
    ['a run whose stage before is active', run(2, { build: 'active' })],
    ['a run that has not come so far', run(2, {})],
    ['a run in which another stage is active', run(2, { build: 'Passed', deploy: 'active' })],
  ];
  for (const [name, other] of TABLE)
    test(`the stage does not start in ${name}`, () => {
      assert.deepEqual(afterStage(PIPELINE, done, 'test', [other]).start, []);
    });

  test('do not go on while the pipeline is paused, the stage is manual, or the stage is active again', () => {
    const waiting = run(2, { build: 'Passed' });
    assert.deepEqual(afterStage({ ...PIPELINE, isPaused: true }, done, 'test', [waiting]).start, []);
    assert.deepEqual(afterStage({ ...PIPELINE, stages: [stage('build'), stage('test', 'manual')] }, done, 'test', [waiting]).start, []);
    assert.deepEqual(afterStage(PIPELINE, done, 'test', [waiting, run(3, { build: 'Passed', test: 'active' })]).start, []);
  });

  test('no run waits for the first stage', () => {
    assert.deepEqual(afterStage(PIPELINE, run(1, { build: 'Failed' }), 'build', [run(2, {})]).start, []);
  });
});

describe('the lock', () => {
  const manualLast = [stage('build'), stage('test'), stage('deploy', 'manual')];
  const after = (more: Partial<FlowPipeline>, stages: Readonly<Record<string, Word>>, completed: string) =>
    afterStage({ ...PIPELINE, lockedBy: 1, ...more }, run(1, stages), completed, []);

  const TABLE: readonly (readonly [string, string, boolean, Readonly<Record<string, Word>>, string])[] = [
    ['is kept on failure', 'lockOnFailure', false, { build: 'Failed' }, 'build'],
    ['is kept on failure', 'lockOnFailure', false, { build: 'Passed', test: 'Cancelled' }, 'test'],
    ['is kept before a manual stage', 'lockOnFailure', false, { build: 'Passed', test: 'Passed' }, 'test'],
    ['ends with the last stage', 'lockOnFailure', true, { build: 'Passed', test: 'Passed', deploy: 'Failed' }, 'deploy'],
    ['ends with a stage that is gone', 'lockOnFailure', true, { old: 'Failed' }, 'old'],
    ['ends with a failure', 'unlockWhenFinished', true, { build: 'Failed' }, 'build'],
    ['ends with a cancelled stage', 'unlockWhenFinished', true, { build: 'Cancelled' }, 'build'],
    ['ends before a manual stage', 'unlockWhenFinished', true, { build: 'Passed', test: 'Passed' }, 'test'],
    ['is kept while it goes on', 'unlockWhenFinished', false, { build: 'Passed' }, 'build'],
    ['ends with the last stage', 'unlockWhenFinished', true, { build: 'Passed', test: 'Passed', deploy: 'Passed' }, 'deploy'],
    ['is kept while another stage of the run is active', 'unlockWhenFinished', false, { build: 'active', deploy: 'Passed' }, 'deploy'],
    ['ends where the configuration has none', 'none', true, { build: 'Passed' }, 'build'],
  ];
  for (const [name, lockBehavior, releasesLock, stages, completed] of TABLE)
    test(`${lockBehavior}: ${name} (${completed})`, () => {
      assert.equal(after({ lockBehavior, stages: manualLast }, stages, completed).releasesLock, releasesLock);
    });

  test('is kept while the pipeline is paused between two stages', () => {
    assert.equal(after({ lockBehavior: 'unlockWhenFinished', isPaused: true }, { build: 'Passed' }, 'build').releasesLock, false);
  });

  test('the lock of another run is not touched', () => {
    assert.equal(after({ lockBehavior: 'unlockWhenFinished', lockedBy: 2 }, { build: 'Failed' }, 'build').releasesLock, false);
  });

  test('is not released where there is none', () => {
    assert.equal(after({ lockBehavior: 'unlockWhenFinished', lockedBy: null }, { build: 'Failed' }, 'build').releasesLock, false);
  });

  test('goes to a run that waited, when it is released', () => {
    const locking = { ...PIPELINE, lockBehavior: 'unlockWhenFinished', lockedBy: 1 };
    const released = afterStage(locking, run(1, { build: 'Passed', test: 'Failed' }), 'test', [run(2, { build: 'Passed' })]);
    assert.deepEqual([released.releasesLock, released.start], [true, [start(2, 'test', true)]]);
    const kept = afterStage({ ...locking, lockBehavior: 'lockOnFailure' }, run(1, { build: 'Passed', test: 'Failed' }), 'test', [
      run(2, { build: 'Passed' }),
    ]);
    assert.deepEqual([kept.releasesLock, kept.start, kept.skipped], [false, [], []]);
  });

  test('is taken by the first that starts, and keeps the others out', () => {
    const open = { ...PIPELINE, lockBehavior: 'lockOnFailure' };
    const { start: started } = afterStage(open, run(1, { build: 'Passed', test: 'Passed' }), 'test', [run(2, { build: 'Passed' })]);
    assert.deepEqual(started, [start(1, 'deploy', true)]);
  });
});

test('for any runs: no stage is started twice, none that is active, none of a run kept out by a lock', () => {
  const word = fc.constantFrom<Word>('Passed', 'Failed', 'Cancelled', 'active');
  const stages = fc.dictionary(fc.constantFrom('build', 'test', 'deploy'), word);
  const pipelines = fc.record({
    lockBehavior: fc.constantFrom('none', 'lockOnFailure', 'unlockWhenFinished'),
    lockedBy: fc.option(fc.integer({ min: 1, max: 6 })),
    isPaused: fc.boolean(),
  });
  fc.assert(
    fc.property(pipelines, fc.array(stages, { minLength: 1, maxLength: 6 }), fc.nat(5), fc.nat(2), (more, histories, which, index) => {
      const runs = histories.map((history, index) => run(index + 1, history));
      const pipeline = { ...PIPELINE, ...more };
      const { name } = PIPELINE.stages[index]!;
      const current = runs[which % runs.length]!;
      const completed = {
        ...current,
        stages: [...current.stages.filter((one) => one.stage !== name), ...run(0, { [name]: 'Passed' }).stages],
      };
      const others = runs.filter((one) => one !== current);
      const after = afterStage(pipeline, completed, name, others);
      assert.equal(new Set(after.start.map((one) => one.stage)).size, after.start.length);
      const holder = after.releasesLock ? null : pipeline.lockedBy;
      for (const one of after.start) {
        assert.ok(!pipeline.isPaused);
        assert.ok(![completed, ...others].some((other) => other.stages.some((seen) => seen.stage === one.stage && seen.isActive)));
        if (pipeline.lockBehavior === 'none') assert.ok(!one.takesLock);
        else assert.ok(holder === null || holder === one.run);
      }
      if (pipeline.lockBehavior !== 'none') assert.ok(new Set(after.start.map((one) => one.run)).size <= 1);
      if (after.releasesLock) assert.notEqual(pipeline.lockedBy, null);
    }),
    { numRuns: 500 },
  );
});
