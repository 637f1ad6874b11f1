// Agents send the output of a job.

import type { JobIdentifier } from '../../../artifacts/stage-run.ts';
import type { Consoles } from '../../../builds/console/consoles.ts';
import { CONSOLE_PATH, type ConsoleAnswer, MAX_CONSOLE_CHUNK } from '../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { neededNumber } from '../common/number-in.ts';
import { APPEND, GAP, NO_SPACE, NOT_JOB_OF_AGENT, noJobId } from './docs.ts';

export interface AppendParts {
  readonly consoles: Pick<Consoles, 'append'>;
  /** The agent that sends a request; throws a refusal when it is none. */
  agentOf(request: ApiRequest): { readonly uuid: string };
  /** The job; undefined: this assignment of it is not, or no longer, that of this agent. */
  ownerOf(job: number, epoch: number, uuid: string): Promise<OwnJob | undefined>;
}

export interface OwnJob {
  readonly identifier: JobIdentifier;
  /** When its stage run began. */
  readonly since: number;
}

const RETRY_SECONDS = 10;
const FULL_DISK: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

export function appendRoute({ consoles, agentOf, ownerOf }: AppendParts): Route {
  return {
    method: 'PUT',
    path: CONSOLE_PATH,
    version: null,
    permission: 'anyone',
    rawBody: { maxBytes: MAX_CONSOLE_CHUNK },
    worksInMaintenance: true,
    isRoutine: true,
    description: { chapter: 'consoles', ...APPEND },
    // The body is read only if the agent has sent a valid token.
    before: (request) => {
      agentOf(request);
      return [];
    },
    handle: append,
  };

  async function append(request: ApiRequest): Promise<Answer> {
    const agent = agentOf(request);
    mustBeKnown(request.query, APPEND);
    const job = jobIn(request);
    const epoch = neededNumber(request, 'epoch');
    const offset = neededNumber(request, 'offset');
    if ((await ownerOf(job, epoch, agent.uuid)) === undefined) throw new Refusal('conflict', NOT_JOB_OF_AGENT);
    const bytes = await request.raw.read();
    // The job may have been given to another agent while the body came.
    const own = await ownerOf(job, epoch, agent.uuid);
    if (!own) throw new Refusal('conflict', NOT_JOB_OF_AGENT);
    const appended = await consoles.append(own.identifier, epoch, offset, bytes, own.since).catch(fullDisk);
    if ('gap' in appended) throw new Refusal('conflict', GAP, { more: { length: appended.gap } satisfies ConsoleAnswer });
    return jsonAnswer(appended satisfies ConsoleAnswer);
  }
}

function jobIn({ params: { job = '' } }: ApiRequest): number {
  if (/^\d{1,15}$/.test(job)) return Number(job);
  throw new Refusal('notFound', noJobId(job));
}

function fullDisk(failure: NodeJS.ErrnoException): never {
  if (FULL_DISK.has(failure.code)) throw new Refusal('insufficientStorage', NO_SPACE, { retryAfter: RETRY_SECONDS });
  throw failure;
}
