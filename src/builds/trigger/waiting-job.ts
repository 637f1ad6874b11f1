// The job of a run under way that no agent takes: the pipeline begins no other run as long as it waits.
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { ActiveJob } from '../jobs/active-builds.ts';
import type { JobWhy } from '../jobs/why-job.ts';

export interface UnfinishedStage {
  readonly row: StageRun;
  readonly run: Run;
  readonly active: ReadonlyMap<number, ActiveJob>;
}

/** Each is compared with all agents, and jobs of one stage mostly wait for the same reason. */
const MAX_JOBS = 20;
/** They stop the whole server, and are listed as reasons of their own. */
const OF_SERVER = new Set(['maintenance', 'disk_full']);

/** Of the first such job, in the words of its own `why`; undefined: there is none. */
export function waitingJobReason(stages: readonly UnfinishedStage[], whyJobWaits: (job: ActiveJob) => JobWhy) {
  const waiting = stages.flatMap(({ row, run, active }) =>
    [...active.values()].filter((job) => job.row.state === 'Scheduled').map((job) => ({ job, stage: row.stage, run: run.counter })),
  );
  for (const { job, stage, run } of waiting.slice(0, MAX_JOBS)) {
    const reasons = whyJobWaits(job).reasons.filter(({ rule }) => !OF_SERVER.has(rule));
    if (reasons.length === 0) continue;
    const { name } = job.row;
    return {
      rule: 'job_waits',
      message: `The job '${name}' of the stage '${stage}' in run ${run} waits for an agent. ${reasons.map(({ message }) => message).join(' ')}`,
      details: { run, stage, job: name, job_rules: reasons.map(({ rule }) => rule) },
    };
  }
  return undefined;
}
