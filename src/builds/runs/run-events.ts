// The events that report runs, stages and jobs.
import type { NewEvent } from '../../store/write-with-events.ts';
import type { ActiveJob, ActiveStageRun } from '../jobs/active-builds.ts';

type Data = NewEvent['data'];

function event(type: string, actor: string | null, pipeline: string, data: Data): NewEvent {
  return { type, actor, about: [{ resource: 'pipelines', id: pipeline }], data };
}

function stageRunData({ run, row }: ActiveStageRun): Data {
  return { pipeline_counter: run.counter, stage: row.stage, stage_counter: row.counter };
}

export function runScheduled(stageRun: ActiveStageRun): NewEvent {
  const { run } = stageRun;
  return event('run.scheduled', run.approver, run.pipeline, {
    counter: run.counter,
    label: run.label,
    trigger: run.trigger,
    message: run.message,
  });
}

export function stageScheduled(stageRun: ActiveStageRun): NewEvent {
  const { run, row } = stageRun;
  return event('stage.started', row.approved_by, run.pipeline, stageRunData(stageRun));
}

export function stageCompleted(stageRun: ActiveStageRun, result: string): NewEvent {
  return event('stage.completed', stageRun.cancelledBy, stageRun.run.pipeline, { ...stageRunData(stageRun), result });
}

function jobEvent(type: string, { row, stageRun }: ActiveJob, agent: string | null, more: Data = {}): NewEvent {
  return event(type, null, stageRun.run.pipeline, { ...stageRunData(stageRun), job: row.name, agent, ...more });
}

export function jobAssigned(job: ActiveJob, agent: string): NewEvent {
  return jobEvent('job.assigned', job, agent);
}

export function jobCompleted(job: ActiveJob, result: string): NewEvent {
  return jobEvent('job.completed', job, job.row.agent_uuid, { result });
}

export function jobRescheduled(job: ActiveJob, reason: string): NewEvent {
  return jobEvent('job.rescheduled', job, job.row.agent_uuid, { reason });
}

export function pipelineUnlocked(pipeline: string, by: string | null): NewEvent {
  return event('pipeline.unlocked', by, pipeline, {});
}
