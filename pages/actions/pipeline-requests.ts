// Requests for the actions of users on pipelines.
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';

export interface RunOptions {
  readonly materials?: readonly { readonly fingerprint: string; readonly revision: string }[];
  readonly environment_variables?: readonly { readonly name: string; readonly value: string; readonly secure: boolean }[];
}

interface Said {
  readonly message?: string;
}

const OPERATIONS_VERSION = 1;
const RUN_STAGE_VERSION = 2;
const STAGE_VERSION = 3;

export const runPipeline = (name: string, options?: RunOptions): Promise<Said | undefined> =>
  send(path`/api/pipelines/${name}/schedule`, { method: 'POST', version: OPERATIONS_VERSION, body: options });

export const pausePipeline = (name: string, reason: string): Promise<Said | undefined> =>
  send(path`/api/pipelines/${name}/pause`, { method: 'POST', version: OPERATIONS_VERSION, body: { pause_cause: reason } });

export const unpausePipeline = (name: string): Promise<Said | undefined> =>
  send(path`/api/pipelines/${name}/unpause`, { method: 'POST', version: OPERATIONS_VERSION });

export const unlockPipeline = (name: string): Promise<Said | undefined> =>
  send(path`/api/pipelines/${name}/unlock`, { method: 'POST', version: OPERATIONS_VERSION });

export const runStage = (pipeline: string, counter: number, stage: string): Promise<Said | undefined> =>
  send(path`/api/stages/${pipeline}/${counter}/${stage}/run`, { method: 'POST', version: RUN_STAGE_VERSION });

export const cancelStage = (pipeline: string, counter: number, stage: string, stageCounter: number): Promise<Said | undefined> =>
  send(path`/api/stages/${pipeline}/${counter}/${stage}/${stageCounter}/cancel`, { method: 'POST', version: STAGE_VERSION });

export const runFailedJobs = (pipeline: string, counter: number, stage: string, stageCounter: number): Promise<Said | undefined> =>
  send(path`/api/stages/${pipeline}/${counter}/${stage}/${stageCounter}/run-failed-jobs`, { method: 'POST', version: STAGE_VERSION });

export const runSelectedJobs = (
  pipeline: string,
  counter: number,
  stage: string,
  stageCounter: number,
  jobs: readonly string[],
): Promise<Said | undefined> =>
  send(path`/api/stages/${pipeline}/${counter}/${stage}/${stageCounter}/run-selected-jobs`, {
    method: 'POST',
    version: STAGE_VERSION,
    body: { jobs },
  });

export const commentRun = (pipeline: string, counter: number, comment: string): Promise<Said | undefined> =>
  send(path`/api/pipelines/${pipeline}/${counter}/comment`, { method: 'POST', version: OPERATIONS_VERSION, body: { comment } });
