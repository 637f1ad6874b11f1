// What a job waits for, in one line.
import { askServer } from '../../terminal/ask-server.ts';
import { Unreachable } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { JobWhy } from './answers.ts';
import { type JobAddress, jobPath, nameOfJob } from './paths.ts';

/** Undefined: it has an agent, or the server does not say. */
export async function waitingText(server: RemoteServer, job: JobAddress): Promise<string | undefined> {
  const response = await askServer(server, jobPath(job, 'why')).catch((failure: unknown) => {
    // Whoever follows the job finds out as well, and waits.
    if (failure instanceof Unreachable) return undefined;
    throw failure;
  });
  if (!response?.ok) return undefined;
  const { state, reasons } = (await response.json()) as JobWhy;
  if (state !== 'Scheduled') return undefined;
  const why = reasons.map(({ message }) => message).join(' ');
  return `${nameOfJob(job)} waits for an agent.${why === '' ? '' : ` ${why}`}`;
}
