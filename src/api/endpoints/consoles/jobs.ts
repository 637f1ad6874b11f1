// The facts of jobs for the routes of consoles, and the right to see them.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import type { JobIdentifier } from '../../../artifacts/stage-run.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import type { ApiRequest } from '../../engine/route.ts';

export type Counter = number | 'latest';

/** The job that a request asks for: by its counters, or the latest one. */
export interface JobLocatorQuery {
  readonly pipeline: string;
  readonly pipelineCounter: Counter;
  readonly stage: string;
  readonly stageCounter: Counter;
  readonly job: string;
}

export interface FoundJob {
  /** Of the job that ran, where this one stands for an earlier one. */
  readonly id: number;
  /** With the names as they were written when it ran. */
  readonly identifier: JobIdentifier;
  /** The group of its pipeline, on which the right to see it depends. */
  readonly group: string;
  /** Whether it may still print. */
  readonly isActive: boolean;
  /** Whether its artifacts were deleted, to make room. */
  readonly isPurged: boolean;
}

export interface ConsoleJobs {
  /** Names in any letter case. */
  find(locator: JobLocatorQuery): Promise<FoundJob | undefined>;
  /** The group of a pipeline; undefined: there is no such pipeline. */
  groupOf(pipeline: string): string | undefined;
}

export interface JobAccessParts {
  readonly jobs: ConsoleJobs;
  readonly access: Pick<Access, 'mayView' | 'passes'>;
}

/** The job, for users who may see it. Others must not learn whether it exists. */
export async function visibleJob(
  { jobs, access }: JobAccessParts,
  identity: Identity,
  locator: JobLocatorQuery,
  missing: string,
): Promise<FoundJob> {
  const found = await jobs.find(locator);
  const group = found?.group ?? jobs.groupOf(locator.pipeline);
  const maySee =
    group === undefined ? access.passes(identity, 'groupAdmin') : access.mayView(identity, { group, pipeline: locator.pipeline });
  if (!maySee) throw new Refusal('forbidden', NOT_THIS_ACTION);
  if (!found) throw new Refusal('notFound', missing);
  return found;
}

/** undefined: it is none. */
export function readCounter(text = ''): Counter | undefined {
  if (text === 'latest') return text;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** From the parameters of a path; undefined: a counter is none. */
export function locatorOf(params: ApiRequest['params']): JobLocatorQuery | undefined {
  const { pipeline_name: pipeline = '', stage_name: stage = '', job_name: job = '' } = params;
  const pipelineCounter = readCounter(params.pipeline_counter);
  const stageCounter = readCounter(params.stage_counter);
  if (pipelineCounter === undefined || stageCounter === undefined) return undefined;
  return { pipeline, pipelineCounter, stage, stageCounter, job };
}

/** The locator of a job as it was asked for. */
export function writtenLocator({ pipeline_name, pipeline_counter, stage_name, stage_counter, job_name }: ApiRequest['params']): string {
  return [pipeline_name, pipeline_counter, stage_name, stage_counter, job_name].join('/');
}
