// Runs as JSON.
import type { Estimate } from '../../../builds/runs/estimates.ts';
import type { ShownRevision, ShownRun, ShownRunStage } from '../../../builds/runs/shown-runs.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { RunModification } from '../../../store/builds/run-modifications.ts';
import type { Run } from '../../../store/builds/runs.ts';

/** Named in `cancelled_by` where no user has cancelled. */
export const THE_SERVER = 'Slipway';

/** The rights of the user. */
export interface Rights {
  /** Whether the pipeline could be triggered by them now. */
  readonly canRun: boolean;
  mayOperate(stage: ShownRunStage): boolean;
}

export function runJson({ run, revisions, stages }: ShownRun, rights: Rights): JsonOut {
  return {
    name: run.pipeline,
    counter: run.counter,
    label: run.label,
    natural_order: run.counter,
    can_run: rights.canRun,
    preparing_to_schedule: false,
    comment: run.comment,
    scheduled_date: run.scheduled_at,
    config_revision: run.configuration,
    build_cause: {
      trigger_message: run.message,
      trigger_forced: run.trigger !== 'changes',
      approver: run.approver,
      material_revisions: revisions.map(revisionJson),
    },
    stages: stages.map((stage) => stageJson(stage, rights)),
  };
}

/** A run in short; null: there is none. */
export function shortRunJson(run: Run | undefined): JsonOut | null {
  return run ? { counter: run.counter, label: run.label, scheduled_date: run.scheduled_at } : null;
}

export function revisionJson({ revision, modifications, sincePrevious }: ShownRevision): JsonOut {
  const { is_changed: isChanged, name, fingerprint, type, description } = revision;
  return {
    changed: isChanged === 1,
    ...(sincePrevious && { since_previous_run: sincePrevious }),
    material: { name: name ?? description, fingerprint, type: shownType(type), description },
    modifications: modifications.map(modificationJson),
  };
}

function modificationJson({ revision, modifiedTime, userName, comment, email }: RunModification): JsonOut {
  return { revision, modified_time: modifiedTime, user_name: userName, comment, email_address: email };
}

function stageJson(stage: ShownRunStage, rights: Rights): JsonOut {
  const { name, stageRun, configured, state, jobs, isRunnable, estimate } = stage;
  const mayOperate = rights.mayOperate(stage);
  const canRun = mayOperate && isRunnable;
  const approval = stageRun?.approval ?? configured?.approval.type ?? null;
  const canRerunJobs = canRun && stageRun !== undefined;
  return {
    name,
    // A stage that has not been run has no counter yet: this will be its first.
    counter: String(stageRun?.counter ?? 1),
    scheduled: stageRun !== undefined,
    status: state,
    result: stageRun?.result ?? 'Unknown',
    approval_type: approval,
    approved_by: stageRun?.approved_by ?? null,
    rerun_of_counter: stageRun?.rerun_of_counter ?? null,
    operate_permission: mayOperate,
    can_run: canRun,
    allow_only_on_success: configured?.approval.allowOnlyOnSuccess ?? false,
    awaits_approval: stageRun === undefined && approval === 'manual' && isRunnable,
    can_rerun_jobs: canRerunJobs,
    can_rerun_failed_jobs: canRerunJobs && jobs.some(({ job }) => job.result === 'Failed' || job.result === 'Cancelled'),
    scheduled_date: stageRun?.scheduled_at ?? null,
    completed_date: stageRun?.completed_at ?? null,
    config_revision: stageRun?.configuration ?? null,
    ...(stageRun?.result === 'Cancelled' && { cancelled_by: stageRun.cancelled_by ?? THE_SERVER }),
    ...estimateJson(estimate),
    jobs: jobs.map(({ job, estimate: ofJob }) => ({
      name: job.name,
      state: job.state,
      result: job.result,
      scheduled_date: job.scheduled_at,
      completed_date: job.completed_at,
      agent_uuid: job.agent_uuid,
      ...estimateJson(ofJob),
    })),
  };
}

export function estimateJson(estimate: Estimate | undefined): JsonOut {
  if (!estimate) return {};
  return { estimated_duration_ms: estimate.duration, ...(estimate.end !== undefined && { estimated_end: estimate.end }) };
}
