// Where a job of a stage run has left its console and its artifacts.
import type { JobIdentifier } from '../../artifacts/stage-run.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { BuildState } from '../build-state.ts';
import { keyOfName } from '../configured.ts';

export interface OriginalJob {
  /** Of the job that ran. */
  readonly id: number;
  /** With the names as they were written when it ran. */
  readonly identifier: JobIdentifier;
  /** Whether it may still leave something. */
  readonly isActive: boolean;
  /** Whether its artifacts were deleted, to make room. */
  readonly isPurged: boolean;
}

/** The job itself, or the one that it was copied from: a job copied from an earlier stage run has its console and artifacts there. */
export async function originalJobOf(
  state: Pick<BuildState, 'jobs' | 'stageRuns'>,
  run: Run,
  stageRun: StageRun,
  name: string,
): Promise<OriginalJob | undefined> {
  const jobs = await state.jobs.ofStageRuns([stageRun.id]);
  const found = jobs.filter(({ job_key: key, state: now }) => key === keyOfName(name) && now !== 'Rescheduled').at(-1);
  if (!found) return undefined;
  const isActive = found.completed_at === null;
  if (found.original_id === null)
    return { id: found.id, identifier: identifierOf(run, stageRun, found.name), isActive, isPurged: stageRun.artifacts_deleted === 1 };
  const original = await state.jobs.byId(found.original_id);
  const ran = original && (await state.stageRuns.byId(original.stage_run_id));
  return ran && { id: original.id, identifier: identifierOf(run, ran, found.name), isActive, isPurged: ran.artifacts_deleted === 1 };
}

export function identifierOf(run: Run, stageRun: StageRun, job: string): JobIdentifier {
  return { pipeline: run.pipeline, pipelineCounter: run.counter, stage: stageRun.stage, stageCounter: stageRun.counter, job };
}
