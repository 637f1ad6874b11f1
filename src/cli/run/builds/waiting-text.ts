// The reason why a job waits, in one line.
import { answerOf, askServer } from '../../terminal/ask-server.ts';
import { Unreachable } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { JobWhy } from './answers.ts';
import { type JobAddress, jobPath, nameOfJob } from './paths.ts';

/** Undefined: it has an agent, or the server does not say. */
export async function waitingText(server: RemoteServer, job: JobAddress): Promise<string | undefined> {
  const answer = await whyOf(server, job).catch((failure: unknown) => {
    // The command that follows the job notices it as well, and waits.
    if (failure instanceof Unreachable) return undefined;
    throw failure;
  });
  if (answer?.state !== 'Scheduled') return undefined;
  const why = answer.reasons.map(({ message }) => message).join(' ');
  return `${nameOfJob(job)} waits for an agent.${why === '' ? '' : ` ${why}`}`;
}

async function whyOf(server: RemoteServer, job: JobAddress): Promise<JobWhy | undefined> {
  const response = await askServer(server, jobPath(job, 'why'));
  return response.ok ? answerOf<JobWhy>(response, server) : undefined;
}
