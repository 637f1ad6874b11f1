// Runs as JSON.
import type { Estimate } from '../../../builds/runs/estimates.ts';
import type { ShownRevision, ShownRun, ShownRunStage } from '../../../builds/runs/shown-runs.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { RunModification } from '../../../store/builds/run-modifications.ts';

/** What whoever asks may do. */
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
    build_cause: {
      trigger_message: run.message,
      trigger_forced: run.trigger !== 'changes',
      approver: run.approver,
      material_revisions: revisions.map(revisionJson),
    },
    stages: stages.map((stage) => stageJson(stage, rights)),
  };
}

function revisionJson({ revision, modifications }: ShownRevision): JsonOut {
  const { is_changed: isChanged, name, fingerprint, type, description } = revision;
  return {
    changed: isChanged === 1,
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
  return {
    name,
    // One that has not been run has no counter yet: this is what it will be.
    counter: String(stageRun?.counter ?? 1),
    scheduled: stageRun !== undefined,
    status: state,
    result: stageRun?.result ?? 'Unknown',
    approval_type: stageRun?.approval ?? configured?.approval.type ?? null,
    approved_by: stageRun?.approved_by ?? null,
    rerun_of_counter: stageRun?.rerun_of_counter ?? null,
    operate_permission: mayOperate,
    can_run: mayOperate && isRunnable,
    ...estimateJson(estimate),
    jobs: jobs.map(({ job, estimate: ofJob }) => ({
      name: job.name,
      state: job.state,
      result: job.result,
      scheduled_date: job.scheduled_at,
      ...estimateJson(ofJob),
    })),
  };
}

export function estimateJson(estimate: Estimate | undefined): JsonOut {
  if (!estimate) return {};
  return { estimated_duration_ms: estimate.duration, ...(estimate.end !== undefined && { estimated_end: estimate.end }) };
}
