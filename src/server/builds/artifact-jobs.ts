// Finds the jobs whose artifacts agents send, and those whose artifacts they fetch.
import type { ArtifactJobs } from '../../api/endpoints/agent-protocol/artifacts/jobs.ts';
import type { PublishingJob } from '../../artifacts/publications.ts';
import type { BuildState } from '../../builds/build-state.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { fetchSource, findSource, type SourceParts } from '../../builds/jobs/fetch-sources.ts';
import type { JobQueue } from '../../builds/jobs/job-queue.ts';
import { identifierOf, originalJobOf } from '../../builds/jobs/original-job.ts';
import { taskWithId } from '../../builds/jobs/work-tasks.ts';
import { METADATA_FOLDER } from '../../contracts/agent-protocol/messages.ts';
import { publishingJob } from './artifacts.ts';

interface Parts {
  readonly state: BuildState;
  readonly queue: Pick<JobQueue, 'isOwner' | 'touch' | 'cancelledOn'>;
  readonly modifications: SourceParts['modifications'];
}

export function artifactJobs({ state, queue, modifications }: Parts): ArtifactJobs {
  return {
    ownerOf: async (id, epoch, uuid) => {
      if (!(await queue.isOwner(uuid, id, epoch))) return undefined;
      queue.touch(id);
      const job = state.active.job(id);
      return job ? publishingJob(job) : cancelledJob(state, id);
    },
    fetchOf: async (id, epoch, uuid, fetch) => {
      if (!(await queue.isOwner(uuid, id, epoch))) return 'not yours';
      queue.touch(id);
      const cancelled = queue.cancelledOn(uuid);
      const job = state.active.job(id) ?? (cancelled?.row.id === id ? cancelled : undefined);
      return job && fetchedBy(job, fetch, { state, modifications });
    },
  };
}

/** A job that has ended otherwise takes no more artifacts. */
async function cancelledJob({ jobs, stageRuns, runs }: BuildState, id: number): Promise<PublishingJob | undefined> {
  const row = await jobs.byId(id);
  if (row?.result !== 'Cancelled') return undefined;
  const stageRun = await stageRuns.byId(row.stage_run_id);
  // The artifacts of its stage run may be deleted by now. It takes no more.
  if (stageRun?.artifacts_deleted === 1) return undefined;
  const run = stageRun && (await runs.byId(stageRun.run_id));
  return run && { id, epoch: row.epoch, pipelineKey: row.pipeline_key, identifier: identifierOf(run, stageRun, row.name) };
}

async function fetchedBy({ plan, stageRun }: ActiveJob, fetch: number, parts: SourceParts & { readonly state: BuildState }) {
  const task = taskWithId(plan.job.tasks, fetch);
  if (task?.type !== 'fetch') return undefined;
  const revisions = await parts.state.runs.revisionsOf([stageRun.run.id]);
  const found = await findSource(fetchSource(task.attributes), stageRun, revisions, parts);
  const job = found && (await originalJobOf(parts.state, found.run, found.stageRun, task.attributes.job));
  // Of an external artifact the server has only the metadata of its plugin.
  if (task.attributes.artifactOrigin === 'external') return job && { job, source: METADATA_FOLDER, isFile: false };
  return job && { job, source: task.attributes.source ?? '', isFile: task.attributes.isSourceAFile };
}
