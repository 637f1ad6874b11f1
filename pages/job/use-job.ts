// Reads a job, and again when it changes.
import { path } from '../api/address.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { isAboutJob, type JobDetails, type JobLocator } from './job.ts';

export const JOB_VERSION = 1;

export function jobAddress({ pipeline, counter, stage, stageCounter, job }: JobLocator): string {
  return path`/api/jobs/${pipeline}/${counter}/${stage}/${stageCounter}/${job}`;
}

/** Where its files are. */
export function filesAddress({ pipeline, counter, stage, stageCounter, job }: JobLocator): string {
  return path`/files/${pipeline}/${counter}/${stage}/${stageCounter}/${job}`;
}

/** Returns an address of a file of the job that needs no login. */
export function viewAddress(at: JobLocator, file: string): string {
  return `${jobAddress(at)}/artifact_view${path`?path=${file}`}`;
}

export function useJob(at: JobLocator): ReadState<JobDetails> {
  return useApi(jobAddress(at), JOB_VERSION, { changedBy: isAboutJob(at) });
}
