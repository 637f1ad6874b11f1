// The addresses of pipelines, runs and jobs on a server.

export interface JobAddress {
  readonly pipeline: string;
  readonly counter: string;
  readonly stage: string;
  readonly stageCounter: string;
  readonly job: string;
}

export function pipelinePath(pipeline: string, ...rest: readonly string[]): string {
  return `/api/pipelines/${[pipeline, ...rest].map(encodeURIComponent).join('/')}`;
}

export function runPath(pipeline: string, counter: number | string): string {
  return pipelinePath(pipeline, String(counter), 'instance');
}

/** The page of a run, for browsers. */
export function runPagePath(pipeline: string, counter: number): string {
  return `/pipelines/value_stream_map/${encodeURIComponent(pipeline)}/${counter}`;
}

/** The newest runs. */
export function historyPath(pipeline: string): string {
  return pipelinePath(pipeline, 'history');
}

export function jobPath({ pipeline, counter, stage, stageCounter, job }: JobAddress, ...rest: readonly string[]): string {
  return `/api/jobs/${[pipeline, counter, stage, stageCounter, job, ...rest].map(encodeURIComponent).join('/')}`;
}

export function nameOfJob({ pipeline, counter, stage, stageCounter, job }: JobAddress): string {
  return [pipeline, counter, stage, stageCounter, job].join('/');
}
