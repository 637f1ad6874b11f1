// The context for sending and fetching the artifacts of a job.
import type { JobConsole } from '../console/job-console.ts';
import type { Answer, ServerClient } from '../server/server-client.ts';
import { describeDiskFailure } from '../task/describe-failure.ts';

/** Decides how long requests are repeated that the server answers and does not do. */
export interface RetryBudget {
  /** The server has done something. */
  noteProgress(): void;
  /** The server has answered that it has not. Throws when it has done so for too long; a server that is away is waited for. */
  noteFailure(answer: Answer): void;
}

export interface ArtifactContext {
  readonly client: ServerClient;
  readonly instance: string;
  readonly job: number;
  readonly epoch: number;
  readonly pipelineFolder: string;
  /** The folders of the materials of the job, below that of the pipeline. */
  readonly checkouts: readonly string[];
  readonly console: JobConsole;
  readonly signal: AbortSignal;
  readonly retryBudget: RetryBudget;
}

/** The message is a sentence for the console. */
export class ArtifactFailure extends Error {}

/** A failure of the system becomes a sentence; one of this program stays as it is. */
export function ofDisk(failure: unknown): unknown {
  const { code, syscall } = failure as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? failure : new ArtifactFailure(describeDiskFailure(failure as NodeJS.ErrnoException));
}

/** A file that cannot be read, by its name. */
export function unreadable(name: string, failure: unknown): unknown {
  const { code, syscall } = failure as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return failure;
  const reason = REASONS[code] ?? code;
  return new ArtifactFailure(`${name} cannot be read: ${reason}.`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the user of the agent may not',
  EPERM: 'the user of the agent may not',
  EMFILE: 'too many files are open',
  ENOENT: 'it is gone',
  ENAMETOOLONG: 'its path is too long',
  EIO: 'the disk of the agent is broken (EIO)',
};
