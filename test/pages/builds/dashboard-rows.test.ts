// The rows that the server writes, read by the pages: no value changes on the way, and ten thousand rows are small.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DashboardRow, type RowsAnswer, rowOf } from '../../../pages/dashboard/row.ts';
import type { Caller } from '../../../src/api/endpoints/dashboard/caller.ts';
import { CompactAnswers } from '../../../src/api/endpoints/dashboard/compact-answer.ts';
import { DashboardIndex } from '../../../src/builds/dashboard/dashboard-index.ts';
import type { DashboardRows } from '../../../src/store/builds/dashboard-rows.ts';

const MANY = 10_000;
const MAX_BYTES = 450_000;
const MONTH_MS = 30 * 24 * 3_600_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const EVERYBODY: Caller = {
  key: 'admin',
  sees: () => true,
  seesGroup: () => true,
  administersGroup: () => true,
  operates: () => true,
  administers: () => true,
  operatesStage: () => true,
};
const STAGES = ['build', 'test'];

/** Rows of runs of the last month that all passed. */
function rowsOf(keys: readonly string[]): DashboardRows {
  const runs = keys.map((key, index) => ({ id: index + 1, key, at: NOW - Math.floor((Number(key.slice(-5)) * MONTH_MS) / MANY) }));
  const common = { message: '', comment: null, variables: '[]', configuration: 1 };
  const ofStage = { fetch_materials: 1, clean_working_directory: 0, artifacts_deleted: 0, is_latest: 1, rerun_of_counter: null } as const;
  return {
    runs: runs.map(({ id, key, at }) => {
      const run = {
        id,
        pipeline_key: key,
        pipeline: key,
        counter: 12,
        label: '12',
        trigger: 'changes',
        approver: 'changes',
        scheduled_at: at,
      };
      return { ...common, ...run };
    }),
    stageRuns: runs.flatMap(({ id, key, at }) =>
      STAGES.map((stage, position) => {
        const times = { scheduled_at: at + position * 1000, completed_at: at + 5000 };
        const names = { pipeline_key: key, stage_key: stage, stage, position, counter: 1, result: 'Passed' } as const;
        const how = { approval: 'success', approved_by: 'changes', cancelled_by: null, configuration: 1 };
        return { id: id * 10 + position, run_id: id, ...names, ...times, ...how, ...ofStage };
      }),
    ),
    jobs: [],
    previous: [],
    locked: new Set(keys.slice(0, 1)),
    pauses: keys.slice(0, 1).map((key) => ({ key, by: 'anna', cause: 'a "look"', at: new Date(NOW).toISOString() })),
  };
}

function indexOf(count: number): DashboardIndex {
  const keys = Array.from({ length: count }, (_, number) => `pipeline-${String(number).padStart(5, '0')}`);
  const config = STAGES.map((name) => ({ name, isManual: false, allowOnlyOnSuccess: false, approvers: undefined, jobs: ['a'] }));
  return new DashboardIndex({
    reader: { read: async (some) => rowsOf(some) },
    keys: () => keys,
    find: (key) => {
      const group = `group-${Math.floor(Number(key.slice(-5)) / 50)}`;
      return { key, name: key, group, environment: null, template: 'basic', repo: null, trackingTool: null, stages: config };
    },
    now: () => NOW,
    onFailure: (failure) => assert.fail(String(failure)),
  });
}

async function wholeOf(count: number) {
  const index = indexOf(count);
  index.start();
  await index.current();
  const answer = await new CompactAnswers(index).full(EVERYBODY);
  await index.stop();
  return answer;
}

function readBy(text: string): DashboardRow[] {
  const answer = JSON.parse(text) as RowsAnswer;
  return answer.rows.map((columns) => rowOf(columns, answer));
}

describe('rows of the dashboard', () => {
  it('are read by the pages as they were', async () => {
    const { text } = await wholeOf(3);
    const rows = readBy(text);
    assert.deepEqual(
      rows.map(({ name, group, template, pause, isLocked, canPause }) => [name, group, template, pause, isLocked, canPause]),
      [
        ['pipeline-00000', 'group-0', 'basic', { reason: 'a "look"', by: 'anna', at: NOW }, true, true],
        ['pipeline-00001', 'group-0', 'basic', undefined, false, true],
        ['pipeline-00002', 'group-0', 'basic', undefined, false, true],
      ],
    );
    const [run] = rows[2]!.runs;
    const stage = { isManual: false, onlyOnSuccess: false, canOperate: true, status: 'Passed', scheduledAt: undefined, counter: 1 };
    assert.deepEqual(run, {
      counter: 12,
      label: '12',
      triggeredBy: 'changes',
      scheduledAt: NOW - (2 * MONTH_MS) / MANY,
      stages: STAGES.map((name) => ({ name, ...stage, approvedBy: 'changes', cancelledBy: null })),
    });
  });

  it(`rows of the dashboard of ${MANY} pipelines are at most ${MAX_BYTES} bytes`, async () => {
    const { bytes, text } = await wholeOf(MANY);
    assert.equal(readBy(text).length, MANY);
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
  });
});
