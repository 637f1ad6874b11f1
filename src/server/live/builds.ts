// Notifies pages of changes of runs, stages, jobs and agents.
import type { BuildState } from '../../builds/build-state.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Notice } from '../../events/live/notice.ts';
import type { NoticePublisher } from '../../events/live/notice-publisher.ts';
import type { EventContent } from '../../events/stored-event.ts';

interface Parts {
  readonly state: Pick<BuildState, 'active' | 'listen'>;
  readonly events: Pick<EventLog, 'listen'>;
  groupOf(pipeline: string): string | undefined;
}

/** Events whose subject is a pipeline. */
const OF_PIPELINES = /^(?:run|stage|job|pipeline|artifacts)\./;
const OF_AGENTS = /^agent\./;
const UNKNOWN = 'Unknown';

export function publishBuilds(publisher: NoticePublisher, { state, events, groupOf }: Parts): void {
  const about = (pipeline: string): Pick<Notice, 'pipeline' | 'audience'> => {
    // Of a pipeline that is gone only administrators hear.
    const group = groupOf(pipeline) ?? '';
    return { pipeline: pipeline.toLowerCase(), audience: { groups: [group], pipelines: [{ group, pipeline }] } };
  };
  const pipelineChanged = (name: string) =>
    publisher.publish(`pipeline ${name.toLowerCase()}`, () => ({ kind: 'pipeline', data: { name }, ...about(name) }));
  const agentChanged = (uuid: string) =>
    publisher.publish(`agent ${uuid}`, () => ({ kind: 'agent', data: { uuid }, audience: 'everyone' }));

  state.listen(pipelineChanged);
  state.active.listen((job, agentBefore) => {
    const { stageRun } = job;
    const { pipeline } = stageRun.run;
    publisher.publish(`job ${stageRun.row.id} ${job.row.name}`, () => ({ kind: 'job', data: jobData(job), ...about(pipeline) }));
    pipelineChanged(pipeline);
    const agents = new Set([agentBefore, job.row.agent_uuid]);
    for (const uuid of agents) if (uuid !== null) agentChanged(uuid);
  });
  events.listen((happened) => {
    if (!publisher.log) return;
    for (const { content } of happened) {
      const subject = content.about[0]?.id ?? '';
      if (OF_PIPELINES.test(content.type)) pipelineChanged(subject);
      if (OF_AGENTS.test(content.type)) agentChanged(subject);
      if (content.type.startsWith('stage.')) stageChanged(subject, content.data);
    }
  });

  function stageChanged(pipeline: string, { pipeline_counter: counter, stage, stage_counter, result }: EventContent['data']): void {
    const data = { pipeline, counter: Number(counter), stage: String(stage), stage_counter: Number(stage_counter) };
    const key = `stage ${pipeline.toLowerCase()}/${data.counter}/${data.stage}/${data.stage_counter}`;
    publisher.publish(key, () => ({ kind: 'stage', data: { ...data, result: String(result ?? UNKNOWN) }, ...about(pipeline) }));
  }
}

function jobData({ row, stageRun: { run, row: stage } }: ActiveJob): Notice['data'] {
  return {
    pipeline: run.pipeline,
    counter: run.counter,
    stage: stage.stage,
    stage_counter: stage.counter,
    job: row.name,
    state: row.state,
    result: row.result,
  };
}
