import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type JobNow, type JobReport, type JobResult, type JobState, stageStateOf, transition } from './job-states.ts';

const now = (state: JobState, result: JobResult = 'Unknown', lastReport = 0): JobNow => ({
  state,
  result,
  agent: 'u1',
  epoch: 2,
  lastReport,
});
const report = (state: JobReport['state'], result?: JobReport['result'], more: Partial<JobReport> = {}): JobReport => ({
  agent: 'u1',
  epoch: 2,
  number: 1,
  state,
  ...(result && { result }),
  ...more,
});

describe('reports that count', () => {
  const TABLE: readonly (readonly [JobNow, JobReport, readonly JobState[], JobResult])[] = [
    [now('Assigned'), report('Preparing'), ['Preparing'], 'Unknown'],
    [now('Preparing'), report('Building'), ['Building'], 'Unknown'],
    // A result that comes too early does not count.
    [now('Preparing'), report('Building', 'Passed'), ['Building'], 'Unknown'],
    [now('Building'), report('Completing', 'Passed'), ['Completing'], 'Passed'],
    [now('Completing', 'Passed'), report('Completed', 'Passed'), ['Completed'], 'Passed'],
    [now('Preparing'), report('Completing', 'Failed'), ['Building', 'Completing'], 'Failed'],
    [now('Assigned'), report('Completed', 'Failed'), ['Preparing', 'Building', 'Completing', 'Completed'], 'Failed'],
    // A failed upload, and a last report without a result.
    [now('Completing', 'Passed'), report('Completed', 'Failed'), ['Completed'], 'Failed'],
    [now('Completing', 'Passed'), report('Completed'), ['Completed'], 'Passed'],
    [now('Completing', 'Failed'), report('Completed', 'Passed'), ['Completed'], 'Failed'],
    [now('Completing', 'Cancelled'), report('Completed', 'Failed'), ['Completed'], 'Cancelled'],
    [now('Building', 'Unknown', 2), report('Completing', 'Passed', { number: 3 }), ['Completing'], 'Passed'],
  ];
  for (const [current, sent, transitions, result] of TABLE)
    test(`${current.state} (${current.result}), then ${sent.state} (${sent.result ?? 'no result'})`, () => {
      assert.deepEqual(transition(current, sent), { transitions, state: sent.state, result });
    });
});

describe('reports that do not', () => {
  const TABLE: readonly (readonly [string, 'ignored' | 'refused', JobNow, JobReport])[] = [
    ['of another agent', 'refused', now('Building'), report('Completing', 'Passed', { agent: 'u2' })],
    ['of an earlier assignment', 'refused', now('Building'), report('Completing', 'Passed', { epoch: 1 })],
    ['of a job that nobody has', 'refused', { ...now('Scheduled'), agent: null }, report('Preparing')],
    ['of another agent about a cancelled job', 'refused', now('Completed', 'Cancelled'), report('Completed', 'Passed', { agent: 'u2' })],
    ['of Completing without a result', 'refused', now('Building'), report('Completing')],
    ['of Completed without any result yet', 'refused', now('Building'), report('Completed')],
    ['about a cancelled job', 'ignored', now('Completed', 'Cancelled'), report('Building', undefined, { number: 9 })],
    ['about a job that was rescheduled', 'ignored', now('Rescheduled'), report('Building', undefined, { number: 9 })],
    ['that was taken before', 'ignored', now('Preparing', 'Unknown', 1), report('Building')],
    ['that was taken before, of a state that is over', 'ignored', now('Building', 'Unknown', 2), report('Preparing')],
    ['of an earlier state', 'ignored', now('Building', 'Unknown', 1), report('Preparing', undefined, { number: 2 })],
    ['of the same state', 'ignored', now('Building', 'Unknown', 1), report('Building', undefined, { number: 2 })],
    ['after the end of the job', 'ignored', now('Completed', 'Passed', 4), report('Completed', 'Failed', { number: 5 })],
  ];
  for (const [name, answer, current, sent] of TABLE)
    test(`a report ${name} is ${answer}`, () => {
      assert.equal(transition(current, sent), answer);
    });
});

test('for any reports, also sent twice: the states follow in order, once each, and a failed job stays failed', () => {
  const reports = fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 6 }),
      state: fc.constantFrom('Preparing', 'Building', 'Completing', 'Completed'),
      result: fc.constantFrom('Passed', 'Failed', undefined),
    }),
  );
  fc.assert(
    fc.property(reports, (sent) => {
      const walked: JobState[] = [];
      let current = now('Assigned');
      for (const { number, state, result } of sent.flatMap((one) => [one, one])) {
        const after = transition(current, report(state, result, { number }));
        if (typeof after === 'string') continue;
        walked.push(...after.transitions);
        if (current.result === 'Failed') assert.equal(after.result, 'Failed');
        assert.equal(after.result === 'Unknown', after.state === 'Preparing' || after.state === 'Building');
        current = { ...current, state: after.state, result: after.result, lastReport: number };
      }
      assert.deepEqual(walked, ['Preparing', 'Building', 'Completing', 'Completed'].slice(0, walked.length));
    }),
  );
});

describe('a stage', () => {
  const job = (state: JobState, result: JobResult = 'Unknown') => ({ state, result });
  const done = (result: JobResult) => job('Completed', result);
  const TABLE: readonly (readonly [string, readonly ReturnType<typeof job>[], readonly [string, string, boolean]])[] = [
    ['without jobs', [], ['Unknown', 'Unknown', false]],
    ['whose jobs wait', [job('Scheduled')], ['Building', 'Unknown', false]],
    ['with jobs under way', [done('Passed'), job('Completing', 'Passed')], ['Building', 'Unknown', false]],
    ['with a failed job and others under way', [done('Failed'), job('Assigned')], ['Failing', 'Unknown', false]],
    ['with a job that is failing', [job('Completing', 'Failed')], ['Failing', 'Unknown', false]],
    ['with a cancelled job and others under way', [done('Cancelled'), job('Preparing')], ['Building', 'Unknown', false]],
    ['with passed jobs alone', [done('Passed'), done('Passed')], ['Passed', 'Passed', true]],
    ['with a failed job', [done('Passed'), done('Failed'), done('Unknown')], ['Failed', 'Failed', true]],
    ['with a cancelled job', [done('Cancelled'), done('Failed')], ['Cancelled', 'Cancelled', true]],
    ['with a job without a result', [done('Unknown'), done('Passed')], ['Unknown', 'Unknown', true]],
    ['with a replaced job', [job('Rescheduled'), done('Passed')], ['Passed', 'Passed', true]],
    ['with a replaced job that waits', [job('Rescheduled'), job('Scheduled')], ['Building', 'Unknown', false]],
  ];
  for (const [name, jobs, [state, result, isCompleted]] of TABLE)
    test(`a stage ${name} is ${state}`, () => {
      assert.deepEqual(stageStateOf(jobs), { state, result, isCompleted });
    });
});
