// Finds the jobs whose consoles are asked for.
import type { OwnJob } from '../../api/endpoints/consoles/append.ts';
import type { ConsoleJobs, Counter, JobLocatorQuery } from '../../api/endpoints/consoles/jobs.ts';
import type { JobIdentifier } from '../../artifacts/stage-run.ts';
import type { BuildState } from '../../builds/build-state.ts';
import { type BuildConfig, keyOfName } from '../../builds/configured.ts';
import type { JobQueue } from '../../builds/jobs/job-queue.ts';
import { identifierOf, type OriginalJob, originalJobOf } from '../../builds/jobs/original-job.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';

export function consoleJobs(state: BuildState, config: Pick<BuildConfig, 'groupOf'>): ConsoleJobs {
  return {
    groupOf: (pipeline) => config.groupOf(pipeline),
    find: async (locator) => {
      const found = await findJob(state, locator);
      const group = found && config.groupOf(found.identifier.pipeline);
      return found && group !== undefined ? { ...found, group } : undefined;
    },
  };
}

/** Where an agent may add to the console of a job. */
export function consoleOwner(state: BuildState, queue: Pick<JobQueue, 'isOwner' | 'touch'>) {
  return async (id: number, epoch: number, uuid: string): Promise<OwnJob | undefined> => {
    if (!(await queue.isOwner(uuid, id, epoch))) return undefined;
    queue.touch(id);
    const job = state.active.job(id);
    if (!job) return storedJob(state, id);
    const { run, row: stageRun } = job.stageRun;
    return { identifier: identifierOf(run, stageRun, job.row.name), since: stageRun.scheduled_at };
  };
}

/** Where a job has left its artifacts. */
export async function storedIdentifier(state: StoredJobs, id: number): Promise<JobIdentifier | undefined> {
  return (await storedJob(state, id))?.identifier;
}

type StoredJobs = Pick<BuildState, 'jobs' | 'stageRuns' | 'runs'>;

async function storedJob(state: StoredJobs, id: number): Promise<OwnJob | undefined> {
  const row = await state.jobs.byId(id);
  const stageRun = row && (await state.stageRuns.byId(row.stage_run_id));
  const run = stageRun && (await state.runs.byId(stageRun.run_id));
  return run && { identifier: identifierOf(run, stageRun, row.name), since: stageRun.scheduled_at };
}

async function findJob(
  state: BuildState,
  { pipeline, pipelineCounter, stage, stageCounter, job }: JobLocatorQuery,
): Promise<OriginalJob | undefined> {
  const key = keyOfName(pipeline);
  const run = pipelineCounter === 'latest' ? await state.runs.last(key) : await state.runs.find(key, pipelineCounter);
  const stageRun = run && (await findStageRun(state, run, keyOfName(stage), stageCounter));
  if (!stageRun) return undefined;
  return originalJobOf(state, run, stageRun, job);
}

async function findStageRun(state: BuildState, run: Run, stageKey: string, counter: Counter): Promise<StageRun | undefined> {
  if (counter !== 'latest') return state.stageRuns.find(run.id, stageKey, counter);
  return (await state.stageRuns.ofRuns([run.id])).filter(({ stage_key: key }) => key === stageKey).at(-1);
}
