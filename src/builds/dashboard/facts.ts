// The facts of a pipeline on the dashboard: its configuration and the results of its last runs. Made from plain rows.
import type { DashboardRows, PreviousStageRun } from '../../store/builds/dashboard-rows.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import { type StageState, stageStateOf } from '../jobs/job-states.ts';

export interface Approvers {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

export interface DashboardConfigStage {
  readonly name: string;
  readonly isManual: boolean;
  readonly allowOnlyOnSuccess: boolean;
  /** Approvers of its own; undefined: the users who may operate the group. */
  readonly approvers: Approvers | undefined;
  readonly jobs: readonly string[];
}

/** A pipeline as the configuration has it. */
export interface DashboardPipeline {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly environment: string | null;
  readonly template: string | null;
  /** The config repo that defines it. */
  readonly repo: { readonly id: string; readonly url: string } | null;
  readonly trackingTool: { readonly urlPattern: string; readonly regex: string } | null;
  readonly stages: readonly DashboardConfigStage[];
}

export interface DashboardStageFacts {
  readonly name: string;
  /** undefined: it is not in the configuration any more. */
  readonly configured: DashboardConfigStage | undefined;
  /** 0: it has not been run. */
  readonly counter: number;
  readonly status: StageState;
  readonly isManual: boolean;
  readonly approvedBy: string | null;
  readonly scheduledAt: number | null;
  readonly cancelledBy: string | null;
  readonly previous: PreviousStageRun | undefined;
}

export interface DashboardRunFacts {
  readonly counter: number;
  readonly label: string;
  readonly approver: string;
  readonly scheduledAt: number;
  readonly stages: readonly DashboardStageFacts[];
}

export interface DashboardFacts {
  readonly pipeline: DashboardPipeline;
  readonly isLocked: boolean;
  readonly pause: { readonly by: string; readonly cause: string; readonly at: string } | null;
  /** Newest first. */
  readonly runs: readonly DashboardRunFacts[];
}

export function factsOf(pipeline: DashboardPipeline, rows: DashboardRows): DashboardFacts {
  const { key } = pipeline;
  const pause = rows.pauses.find((one) => one.key === key);
  const runs = rows.runs.filter(({ pipeline_key: of }) => of === key).toSorted((one, other) => other.counter - one.counter);
  return {
    pipeline,
    isLocked: rows.locked.has(key),
    pause: pause ? { by: pause.by, cause: pause.cause, at: pause.at } : null,
    runs: runs.map((run) => shownRun(run, pipeline, rows)),
  };
}

function shownRun(run: Run, { stages }: DashboardPipeline, rows: DashboardRows): DashboardRunFacts {
  const own = rows.stageRuns.filter(({ run_id: id }) => id === run.id);
  const configured = stages.map((stage, position) => {
    const stageRun = own.find(({ stage_key: key }) => key === stage.name.toLowerCase());
    return { position, shown: stageRun ? ranStage(stageRun, stage, rows) : notRun(stage) };
  });
  const gone = own
    .filter(({ stage_key: key }) => !stages.some(({ name }) => name.toLowerCase() === key))
    .map((stageRun) => ({ position: stageRun.position, shown: ranStage(stageRun, undefined, rows) }));
  return {
    counter: run.counter,
    label: run.label,
    approver: run.approver,
    scheduledAt: run.scheduled_at,
    stages: [...gone, ...configured].toSorted((one, other) => one.position - other.position).map(({ shown }) => shown),
  };
}

function notRun(stage: DashboardConfigStage): DashboardStageFacts {
  const none = { counter: 0, approvedBy: null, scheduledAt: null, cancelledBy: null, previous: undefined };
  return { ...none, name: stage.name, configured: stage, status: 'Unknown', isManual: stage.isManual };
}

function ranStage(
  stageRun: StageRun,
  configured: DashboardConfigStage | undefined,
  { jobs, previous }: DashboardRows,
): DashboardStageFacts {
  const { stage, counter, approval, approved_by: approvedBy, scheduled_at: scheduledAt, cancelled_by: cancelledBy } = stageRun;
  const isActive = stageRun.completed_at === null;
  const ofStage = jobs.filter(({ stage_run_id: id }) => id === stageRun.id);
  const now = isActive ? stageStateOf(ofStage) : null;
  const before = ({ pipeline_key: pipeline, stage_key: key }: PreviousStageRun) =>
    pipeline === stageRun.pipeline_key && key === stageRun.stage_key;
  return {
    name: stage,
    configured,
    counter,
    // Between the end of its last job and its own it is still under way.
    status: now ? (now.isCompleted || now.state === 'Unknown' ? 'Building' : now.state) : stageRun.result,
    isManual: approval === 'manual',
    approvedBy,
    scheduledAt,
    cancelledBy,
    previous: isActive ? previous.find(before) : undefined,
  };
}
