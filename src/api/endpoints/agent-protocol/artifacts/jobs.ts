// The facts of jobs that the routes of artifacts need.
import type { PublishingJob } from '../../../../artifacts/publications.ts';
import type { JobIdentifier } from '../../../../artifacts/stage-run.ts';

export interface FetchedFrom {
  /** The job whose artifacts are fetched. */
  readonly job: { readonly id: number; readonly identifier: JobIdentifier };
  /** As the task has it. */
  readonly source: string;
  /** What the task says of it. */
  readonly isFile: boolean;
}

export interface ArtifactJobs {
  /** undefined: this assignment is not, or no longer, that of this agent, or the job has ended. */
  ownerOf(job: number, epoch: number, uuid: string): Promise<PublishingJob | undefined>;
  /** The source of a fetch task of the job; undefined: there is no such task, or nothing that it could fetch. */
  fetchOf(job: number, epoch: number, uuid: string, fetch: number): Promise<FetchedFrom | 'not yours' | undefined>;
}
