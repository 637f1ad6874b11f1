// The names and counters of an active job.
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { locatorOf } from '../../builds/jobs/work.ts';

export function identifierOf(job: ActiveJob) {
  const { pipeline, pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, job: name } = locatorOf(job);
  return { pipeline, pipelineCounter, stage, stageCounter, job: name };
}
