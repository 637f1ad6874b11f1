// The addresses of runs, stages and jobs: in feeds, and on pages. Without the address of the server.
const path = (...steps: readonly (string | number)[]) => steps.map((step) => `/${encodeURIComponent(step)}`).join('');

export const FEEDS = '/api/feed';
export const PIPELINES_FEED = `${FEEDS}/pipelines.xml`;

export const stagesFeed = (pipeline: string) => `${FEEDS}/pipelines${path(pipeline)}/stages.xml`;
export const runFeed = (pipeline: string, counter: number) => `${FEEDS}/pipelines${path(pipeline, counter)}.xml`;
export const stageFeed = (pipeline: string, counter: number, stage: string, stageCounter: number) =>
  `${FEEDS}/pipelines${path(pipeline, counter, stage, stageCounter)}.xml`;
export const jobFeed = (pipeline: string, counter: number, stage: string, stageCounter: number, job: string) =>
  `${FEEDS}/pipelines${path(pipeline, counter, stage, stageCounter, job)}.xml`;

export const runPage = (pipeline: string, counter: number) => `/pipelines/value_stream_map${path(pipeline, counter)}`;
export const stagePage = (pipeline: string, counter: number, stage: string, stageCounter: number) =>
  `/pipelines${path(pipeline, counter, stage, stageCounter)}`;
export const jobPage = (pipeline: string, counter: number, stage: string, stageCounter: number, job: string) =>
  `/tab/build/detail${path(pipeline, counter, stage, stageCounter, job)}`;
export const jobFiles = (pipeline: string, counter: number, stage: string, stageCounter: number, job: string) =>
  `/files${path(pipeline, counter, stage, stageCounter, job)}`;
