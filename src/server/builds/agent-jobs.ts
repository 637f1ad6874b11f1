// The jobs of the engine, for the API of agents and for maintenance mode.
import type { AgentJobs, HistoryQuery, PastJob } from '../../builds/agents/agent-jobs.ts';
import type { BuildEngine } from '../../builds/engine.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { locatorOf } from '../../builds/jobs/work.ts';
import type { BuildJob, BuildJobs } from '../../maintenance/running-systems.ts';
import type { Job } from '../../store/builds/jobs.ts';

export function agentJobs({ state, queue }: BuildEngine): AgentJobs {
  return {
    currentOf: (uuid) => {
      const job = state.active.ofAgent(uuid) ?? queue.cancelledOn(uuid);
      if (!job) return undefined;
      const { pipeline, pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, job: name } = locatorOf(job);
      return { pipeline, pipelineCounter, stage, stageCounter, job: name, isCancelling: queue.isCancelling(uuid) };
    },
    history: async (uuid, { pageSize, sortColumn: column, sortOrder: order, ...from }: HistoryQuery) => {
      // One more than is shown reveals whether there are more.
      const { total, jobs } = await state.jobs.ofAgent(uuid, { ...from, limit: pageSize + 1, column, order });
      const shown = jobs.slice(0, pageSize);
      const last = jobs.length > pageSize ? shown.at(-1)?.id : undefined;
      return { total, jobs: await pastJobs(state, shown), ...(last !== undefined && { last }) };
    },
    kill: (uuid) => (queue.kill(uuid) ? 'accepted' : 'not cancelling'),
  };
}

async function pastJobs({ stageRuns, runs, jobs: table }: BuildEngine['state'], jobs: readonly Job[]): Promise<PastJob[]> {
  const transitions = Map.groupBy(await table.transitionsOf(jobs.map(({ id }) => id)), ({ job_id: id }) => id);
  return Promise.all(
    jobs.map(async (job) => {
      const stageRun = await stageRuns.byId(job.stage_run_id);
      const run = stageRun && (await runs.byId(stageRun.run_id));
      return {
        pipeline: run?.pipeline ?? job.pipeline_key,
        pipelineCounter: run?.counter ?? 0,
        stage: stageRun?.stage ?? job.stage_key,
        stageCounter: stageRun?.counter ?? 0,
        job: job.name,
        result: job.result,
        isRerun: job.is_rerun === 1,
        transitions: (transitions.get(job.id) ?? []).map(({ state, at }) => ({ state, at })),
      };
    }),
  );
}

export function buildJobs({ state, queue }: BuildEngine): BuildJobs {
  const all = () => [...state.active.jobs()];
  return {
    building: () => [
      ...all()
        .filter(({ row }) => row.state !== 'Scheduled')
        .map(shownJob),
      // In the tables they are completed, but their tasks may still run.
      ...queue.cancelled().map((job) => ({ ...shownJob(job), state: 'Completing' })),
    ],
    scheduled: () => [...state.active.waiting()].map(shownJob),
  };
}

function shownJob({ row, stageRun }: ActiveJob): BuildJob {
  return {
    pipelineName: stageRun.run.pipeline,
    pipelineCounter: stageRun.run.counter,
    stageName: stageRun.row.stage,
    stageCounter: String(stageRun.row.counter),
    name: row.name,
    state: row.state,
    scheduledAt: new Date(row.scheduled_at).toISOString(),
    agentUuid: row.agent_uuid,
  };
}
