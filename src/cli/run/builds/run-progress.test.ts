// How far a run is, by the states of its stages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunAnswer, StageInRun } from './answers.ts';
import { progressOf, stageText } from './run-progress.ts';

const stage = (name: string, status: string, more: Partial<StageInRun> = {}): StageInRun => ({
  name,
  counter: '1',
  scheduled: status !== '',
  status,
  result: status === 'Passed' || status === 'Failed' || status === 'Cancelled' ? status : 'Unknown',
  approval_type: 'success',
  jobs: [],
  ...more,
});
const run = (...stages: readonly StageInRun[]): RunAnswer => ({
  name: 'p',
  counter: 1,
  label: '1',
  build_cause: { trigger_forced: true, approver: 'admin' },
  stages,
});
const [passed, next, byHand] = [stage('a', 'Passed'), stage('b', ''), stage('b', '', { approval_type: 'manual' })];

for (const [stages, expected] of [
  [[stage('a', 'Building'), next], 'under way a'],
  [[stage('a', 'Failing'), next], 'under way a'],
  [[passed, next], 'between stages b'],
  [[passed, byHand], 'manual stage b'],
  [[passed, stage('b', 'Passed', { approval_type: 'manual' })], 'ended Passed'],
  [[stage('a', 'Failed'), next], 'ended Failed'],
  [[stage('a', 'Cancelled'), next], 'ended Cancelled'],
  // Its jobs have ended, and its own end is not written yet.
  [[stage('a', 'Unknown')], 'under way a'],
  // The stage was run again, and the stage after it stays.
  [[stage('a', 'Building', { counter: '2' }), stage('b', 'Passed')], 'under way a'],
  // A gate may be opened after a failure.
  [[stage('a', 'Failed'), stage('b', 'Passed', { approval_type: 'manual' })], 'ended Passed'],
] as const)
  test(`${stages.map(({ name, status }) => `${name} ${status || 'not run'}`).join(', ')}: ${expected}`, () => {
    const progress = progressOf(run(...stages));
    const about = progress.kind === 'ended' ? progress.result : progress.kind === 'under way' ? progress.stage.name : progress.next.name;
    assert.equal(`${progress.kind} ${about}`, expected);
  });

test('the jobs of a stage in a few words', () => {
  const job = (name: string, state: string, result: StageInRun['result'] = 'Unknown') => ({ name, state, result });
  assert.equal(stageText(stage('a', 'Building', { jobs: [job('x', 'Preparing')] })), 'x preparing');
  const jobs = [job('x', 'Completed', 'Failed'), job('y', 'Building'), job('z', 'Building')];
  assert.equal(stageText(stage('a', 'Failing', { jobs })), '3 jobs: 1 failed, 2 building');
});
