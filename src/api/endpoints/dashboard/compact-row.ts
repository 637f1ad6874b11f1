// A row of the dashboard in its short form. Values that do not depend on the caller are made once for each row; numbers stand for
// values that many rows share.
import type { DashboardFacts, DashboardRunFacts, DashboardStageFacts } from '../../../builds/dashboard/facts.ts';
import { type Caller, mayTrigger } from './caller.ts';
import type { SharedTables } from './compact-tables.ts';

export const COLUMNS = ['name', 'place', 'flags', 'run', 'others', 'pause', 'exceptions'] as const;
export const STATUSES = ['Unknown', 'Building', 'Failing', 'Passed', 'Failed', 'Cancelled'] as const;
export const FLAGS = { canOperate: 1, canAdminister: 2, canPause: 4, locked: 8, paused: 16 } as const;

export interface CompactRow {
  /** As JSON. */
  readonly name: string;
  readonly place: number;
  /** Newest first. */
  readonly runs: readonly CompactRun[];
  readonly pause: { readonly reason: string; readonly by: number; readonly at: number } | undefined;
  /** The stages that name approvers of their own. */
  readonly guarded: readonly { readonly stage: number; readonly index: number }[];
}

export interface CompactRun {
  readonly counter: number;
  readonly pattern: number;
  readonly at: number;
  /** As JSON; `0`: the counter. */
  readonly label: string;
  /** Of the stages that are not as usual. */
  readonly details: readonly StageDetail[];
}

export interface StageDetail {
  readonly index: number;
  /** 0: the first, of one that has a status; none, of one that has not. */
  readonly counter: number;
  /** Number of a text; 0: the approver of the run. */
  readonly approvedBy: number;
  readonly cancelledBy: number;
  /** Of one that is under way: milliseconds from the run to it. */
  readonly after: number;
}

export function compactRow({ pipeline, pause, runs }: DashboardFacts, tables: SharedTables): CompactRow {
  const { group, environment, repo, template } = pipeline;
  return {
    name: JSON.stringify(pipeline.name),
    place: tables.place([group, environment, repo?.id ?? null, template]),
    runs: runs.map((run) => compactRun(run, tables)),
    pause: pause ? { reason: JSON.stringify(pause.cause), by: tables.text(pause.by), at: Date.parse(pause.at) || 0 } : undefined,
    guarded: pipeline.stages.flatMap(({ name, isManual, allowOnlyOnSuccess, approvers }, index) =>
      approvers ? [{ stage: tables.stage(name, isManual, allowOnlyOnSuccess), index }] : [],
    ),
  };
}

function compactRun(run: DashboardRunFacts, tables: SharedTables): CompactRun {
  const { counter, label, approver, scheduledAt, stages } = run;
  const numbers = stages.map(({ name, isManual, configured }) => tables.stage(name, isManual, configured?.allowOnlyOnSuccess ?? false));
  const statuses = stages.map(({ status }) => STATUSES.indexOf(status)).join('');
  return {
    counter,
    pattern: tables.pattern(approver, statuses, numbers),
    at: scheduledAt,
    label: label === String(counter) ? '0' : JSON.stringify(label),
    details: stages.flatMap((stage, index) => detailOf(stage, index, run, tables) ?? []),
  };
}

function detailOf(stage: DashboardStageFacts, index: number, run: DashboardRunFacts, tables: SharedTables): StageDetail | undefined {
  const { status, counter, scheduledAt, approvedBy, cancelledBy } = stage;
  const isUnderWay = status === 'Building' || status === 'Failing';
  const detail = {
    index,
    // One that has been run has a status, almost always.
    counter: counter === 1 && status !== 'Unknown' ? 0 : counter,
    approvedBy: counter === 0 || approvedBy === run.approver ? 0 : tables.text(approvedBy),
    cancelledBy: tables.text(cancelledBy),
    after: isUnderWay && scheduledAt !== null ? scheduledAt - run.scheduledAt : 0,
  };
  const isDefault = detail.counter === 0 && detail.approvedBy === 0 && detail.cancelledBy === 0 && detail.after === 0;
  return isDefault ? undefined : detail;
}

export function flagsOf({ pipeline, isLocked, pause }: DashboardFacts, caller: Caller): number {
  return (
    (mayTrigger(caller, pipeline) ? FLAGS.canOperate : 0) +
    (caller.administers(pipeline) ? FLAGS.canAdminister : 0) +
    (caller.operates(pipeline) ? FLAGS.canPause : 0) +
    (isLocked ? FLAGS.locked : 0) +
    (pause ? FLAGS.paused : 0)
  );
}

/** The stages that the caller may operate though not the others, or the other way round. */
export function exceptionsOf({ guarded }: CompactRow, { pipeline }: DashboardFacts, caller: Caller): number[] {
  if (guarded.length === 0) return [];
  const operates = caller.operates(pipeline);
  return guarded.flatMap(({ stage, index }) => (caller.operatesStage(pipeline, pipeline.stages[index]) === operates ? [] : [stage]));
}
