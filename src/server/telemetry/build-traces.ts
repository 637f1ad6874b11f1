// Traces of runs, from the rows of a stage that has ended. All spans of a run are one trace, whichever server records them: its
// ids follow from those of the run.
import { createHash } from 'node:crypto';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import type { CompletedStage } from '../../builds/runs/stage-completion.ts';
import type { Config } from '../../config/current.ts';
import type { Attributes, FinishedSpan } from '../../kit/telemetry/span.ts';
import { writeTraceParent } from '../../kit/telemetry/traceparent.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import type { Job, Jobs, JobTransition } from '../../store/builds/jobs.ts';

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

type Ids = ReturnType<typeof idsOf>;

export function buildTraces(tracer: Pick<Tracer, 'isSampled' | 'record'>, config: Config) {
  const ids = () => idsOf(config.of('serverIdentity').find('')?.value.serverId ?? '');
  return {
    traceparentOf: ({ row, stageRun }: ActiveJob): string | undefined => {
      const { trace, span } = ids();
      const traceId = trace(stageRun.run.id);
      return tracer.isSampled(traceId) ? writeTraceParent({ traceId, spanId: span('job', row.id), isSampled: true }) : undefined;
    },
    record: async (completed: CompletedStage, jobs: Pick<Jobs, 'transitionsOf'>): Promise<void> => {
      const of = ids();
      if (!tracer.isSampled(of.trace(completed.stageRun.run.id))) return;
      const transitions = await jobs.transitionsOf(completed.stageRun.jobs.map(({ id }) => id));
      for (const span of stageSpans(completed, transitions, of)) tracer.record(span);
    },
  };
}

/** Ids that are the same on all servers of a database, and others on those of another one. */
export function idsOf(serverId: string) {
  const digits = (name: string, count: number) => createHash('sha256').update(`${serverId} ${name}`).digest('hex').slice(0, count);
  return {
    trace: (run: number) => digits(`run ${run}`, TRACE_DIGITS),
    span: (name: string, id: number | string) => digits(`${name} ${id}`, SPAN_DIGITS),
  };
}

/** A span for the stage, one for each job in it, and one for each state that a job was in. */
function stageSpans(
  { stageRun, result, completedAt }: CompletedStage,
  transitions: readonly JobTransition[],
  { trace, span }: Ids,
): FinishedSpan[] {
  const { run, row, jobs } = stageRun;
  const common = { traceId: trace(run.id), kind: 'internal' } as const;
  const stageId = span('stage', row.id);
  const names: Attributes = { 'cicd.pipeline.name': run.pipeline, 'cicd.pipeline.run.counter': run.counter, 'slipway.stage': row.stage };
  const stage = {
    ...common,
    spanId: stageId,
    parentId: undefined,
    name: 'stage',
    startedAt: row.scheduled_at,
    endedAt: completedAt,
    attributes: { ...names, 'slipway.stage_counter': row.counter, 'slipway.result': result },
    isFailed: result === 'Failed',
  };
  // One that stands for an earlier job has not run here.
  const ran = jobs.filter(({ original_id: original, completed_at: end }) => original === null && end !== null);
  const ofJobs = ran.flatMap((job) => {
    const jobId = span('job', job.id);
    const attributes = { ...names, 'slipway.job': job.name, 'slipway.result': job.result, 'slipway.agent': job.agent_uuid ?? '' };
    const whole = { startedAt: job.scheduled_at, endedAt: job.completed_at! };
    const own = { ...common, ...whole, spanId: jobId, parentId: stageId, name: 'job', attributes, isFailed: job.result === 'Failed' };
    return [
      own,
      ...statesOf(job, transitions).map((state) => ({
        ...common,
        ...state,
        spanId: span('state', `${job.id} ${state.name}`),
        parentId: jobId,
      })),
    ];
  });
  return [stage, ...ofJobs];
}

/** Each lasts until the next one. The last one is the end. */
function statesOf({ id }: Job, transitions: readonly JobTransition[]) {
  const own = transitions.filter(({ job_id: job }) => job === id).toSorted((one, other) => one.position - other.position);
  return own
    .slice(0, -1)
    .map(({ state, at }, index) => ({ name: state, startedAt: at, endedAt: own[index + 1]!.at, attributes: {}, isFailed: false }));
}
