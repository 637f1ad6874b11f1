import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JobResult } from '../../store/rows/builds.ts';
import { jobsToRerun, mayRunStage, type RerunnableJob, type StageToRerun } from './run-stage.ts';
import type { FlowPipeline, FlowRun } from './stage-flow.ts';

const stage = (name: string, allowOnlyOnSuccess = false) => ({ name, approval: { type: 'manual', allowOnlyOnSuccess } });
const PIPELINE: FlowPipeline = {
  name: 'web',
  stages: [stage('build'), stage('test'), stage('Deploy', true)],
  lockBehavior: 'none',
  isPaused: false,
  lockedBy: null,
};

/** A run with the same number as id and counter, and for each stage its counter and result; no result: it is active. */
function run(counter: number, stages: Readonly<Record<string, readonly [number, JobResult?]>>): FlowRun {
  const runs = Object.entries(stages).map(([name, [times, result]]) => ({
    stage: name,
    counter: times,
    result: result ?? ('Unknown' as const),
    isActive: result === undefined,
  }));
  return { run: counter, counter, stages: runs };
}

describe('a stage may be run', () => {
  test('a stage may be run when it is the next one, with any result of the stage before', () => {
    for (const result of ['Passed', 'Failed', 'Cancelled'] as const)
      assert.deepEqual(mayRunStage(PIPELINE, run(3, { build: [1, result] }), 'TEST', []), {
        isAllowed: true,
        stage: 'test',
        counter: 1,
        takesLock: false,
      });
  });

  test('a stage may be run again, with the next counter', () => {
    const decision = mayRunStage(PIPELINE, run(3, { build: [4, 'Failed'] }), 'build', [run(4, { test: [1] })]);
    assert.deepEqual(decision, { isAllowed: true, stage: 'build', counter: 5, takesLock: false });
  });

  test('a stage may be run again, though the configuration now has a stage before it', () => {
    assert.ok(mayRunStage(PIPELINE, run(3, { test: [1, 'Passed'] }), 'test', []).isAllowed);
  });

  test('a stage that is run takes a free lock, or keeps the lock of its run', () => {
    const takes = (more: Partial<FlowPipeline>) => {
      const decision = mayRunStage({ ...PIPELINE, ...more }, run(3, { build: [1, 'Passed'] }), 'test', []);
      return decision.isAllowed && decision.takesLock;
    };
    assert.equal(takes({ lockBehavior: 'unlockWhenFinished' }), true);
    assert.equal(takes({ lockBehavior: 'lockOnFailure', lockedBy: 3 }), false);
    // One that the configuration has no more.
    assert.equal(takes({ lockedBy: 9 }), false);
  });
});

describe('a stage may not be run', () => {
  const built = run(3, { build: [1, 'Passed'] });
  const TABLE: readonly (readonly [string, string, Partial<FlowPipeline>, FlowRun, string, readonly FlowRun[]])[] = [
    ['notFound', "Stage 'ship' not found in pipeline 'web'.", {}, built, 'ship', []],
    ['malformed', 'Can not run stage [Deploy] in pipeline [web] because its previous stage has not been run.', {}, built, 'deploy', []],
    ['conflict', 'Cannot schedule: Pipeline web is paused', { isPaused: true }, built, 'test', []],
    ['conflict', 'Cannot schedule: Stage [build] in pipeline [web] is still in progress', {}, run(3, { build: [1] }), 'test', []],
    ['conflict', 'Cannot schedule: Stage [test] in pipeline [web] is still in progress', {}, built, 'test', [run(2, { TEST: [1] })]],
    [
      'conflict',
      'Cannot schedule: Pipeline web is locked as another instance of this pipeline is running.',
      { lockBehavior: 'lockOnFailure', lockedBy: 2 },
      built,
      'test',
      [],
    ],
    [
      'conflict',
      'Cannot schedule Deploy as the previous stage test has Failed!',
      {},
      run(3, { build: [1, 'Passed'], test: [1, 'Failed'] }),
      'deploy',
      [],
    ],
    [
      'conflict',
      'Cannot schedule Deploy as the previous stage test has Cancelled!',
      {},
      run(3, { build: [1, 'Passed'], test: [2, 'Cancelled'], deploy: [1, 'Passed'] }),
      'deploy',
      [],
    ],
  ];
  for (const [kind, message, more, of, name, others] of TABLE)
    test(`a stage may not be run: ${message}`, () => {
      assert.deepEqual(mayRunStage({ ...PIPELINE, ...more }, of, name, others), { isAllowed: false, kind, message });
    });
});

const job = (id: number, name: string, result: JobResult, originalId: number | null = null): RerunnableJob => ({
  id,
  name,
  state: 'Completed',
  result,
  originalId,
});
const configured = (name: string, runInstanceCount: number | string | null = null) => ({ name, runInstanceCount });
const STAGE: StageToRerun<RerunnableJob> = {
  locator: 'web/3/test/2',
  counter: 2,
  rerunOfCounter: null,
  jobs: [job(1, 'Unit', 'Passed'), job(2, 'ui', 'Failed'), job(3, 'load', 'Cancelled'), job(4, 'lint', 'Passed', 77)],
  configured: ['unit', 'ui', 'load', 'lint'].map((name) => configured(name)),
};

function numbers(stageToRerun: StageToRerun<RerunnableJob>, wanted: 'failed' | readonly string[]) {
  const decision = jobsToRerun(stageToRerun, wanted);
  if (!decision.isAllowed) return decision;
  const copied = decision.copied.map((one) => [one.job.id, one.originalId]);
  return { copied, scheduled: decision.scheduled.map(({ id }) => id), rerunOfCounter: decision.rerunOfCounter };
}

describe('jobs are run again', () => {
  test('jobs that failed or were cancelled are run again; the others are copied, with their original ids', () => {
    const expected = {
      copied: [
        [1, 1],
        [4, 77],
      ],
      scheduled: [2, 3],
      rerunOfCounter: 2,
    };
    assert.deepEqual(numbers(STAGE, 'failed'), expected);
  });

  test('named jobs are run again, in any letter case and with any result', () => {
    const expected = {
      copied: [
        [3, 3],
        [4, 77],
      ],
      scheduled: [1, 2],
      rerunOfCounter: 1,
    };
    assert.deepEqual(numbers({ ...STAGE, rerunOfCounter: 1 }, ['UNIT', 'ui', 'UI']), expected);
  });

  test('jobs that were replaced by later ones are neither copied nor run again', () => {
    const jobs = [{ ...job(1, 'ui', 'Unknown'), state: 'Rescheduled' }, job(2, 'ui', 'Failed')];
    assert.deepEqual(numbers({ ...STAGE, jobs }, ['ui']), { copied: [], scheduled: [2], rerunOfCounter: 2 });
  });

  test('one instance of several is run again alone', () => {
    const jobs = [job(1, 'ui-runInstance-1', 'Passed'), job(2, 'ui-runInstance-2', 'Failed')];
    const instances = { ...STAGE, jobs, configured: [configured('UI', 2)] };
    assert.deepEqual(numbers(instances, 'failed'), { copied: [[1, 1]], scheduled: [2], rerunOfCounter: 2 });
  });
});

describe('jobs are not run again', () => {
  const gone = (name: string) => `Cannot rerun job '${name}'. Configuration for job doesn't exist.`;
  const passed = { ...STAGE, jobs: [job(1, 'unit', 'Passed')] };
  const TABLE: readonly (readonly [string, string, StageToRerun<RerunnableJob>, 'failed' | readonly string[]])[] = [
    ['malformed', 'No job was selected to re-run.', STAGE, []],
    ['malformed', 'There are no failed jobs in the stage that could be re-run', passed, 'failed'],
    ['notFound', "Job(s) [x, y] does not exist in stage 'web/3/test/2'.", STAGE, ['x', 'unit', 'y']],
    ['notFound', gone('ui'), { ...STAGE, configured: [configured('unit'), configured('load')] }, 'failed'],
    ['notFound', gone('Unit'), { ...STAGE, configured: [configured('unit', 'all')] }, ['unit']],
  ];
  for (const [kind, message, of, wanted] of TABLE)
    test(`jobs are not run again: ${message}`, () => {
      assert.deepEqual(numbers(of, wanted), { isAllowed: false, kind, message });
    });

  test('a job that is gone does not matter when another one is wanted', () => {
    assert.ok(jobsToRerun({ ...STAGE, configured: [configured('ui')] }, ['ui']).isAllowed);
  });
});

test('each job is either copied or scheduled', () => {
  const jobs = fc.array(fc.constantFrom<JobResult>('Passed', 'Failed', 'Cancelled'), { minLength: 1 });
  fc.assert(
    fc.property(jobs, fc.option(fc.array(fc.nat(9))), (results, picked) => {
      const all = results.map((result, index) => job(index, `j${index}`, result));
      const of = { ...STAGE, jobs: all, configured: all.map(({ name }) => configured(name)) };
      const decision = jobsToRerun(of, picked?.map((index) => `j${index}`) ?? 'failed');
      if (!decision.isAllowed) return;
      const ids = [...decision.copied.map((one) => one.job.id), ...decision.scheduled.map(({ id }) => id)];
      assert.deepEqual(
        ids.toSorted((one, other) => one - other),
        all.map(({ id }) => id),
      );
      assert.ok(decision.scheduled.length > 0);
    }),
  );
});
