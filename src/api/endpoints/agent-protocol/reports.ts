// The reports of agents on their jobs.
import type { JobQueue } from '../../../builds/jobs/job-queue.ts';
import { REPORTS_PATH, type Report, type ReportedState } from '../../../contracts/agent-protocol/messages.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { readUntrustedJson } from '../../http/body/body.ts';
import { ofBuildKeeper } from '../agents/keeper.ts';
import { type AgentAccess, agentOf } from './agent-of.ts';
import { JOB_OF_ANOTHER_AGENT, NO_NUMBER, REPORT } from './docs.ts';

export interface ReportParts extends AgentAccess {
  readonly queue: Pick<JobQueue, 'report'>;
}

const MAX_BYTES = 16 * 1024;
const STATES: readonly ReportedState[] = ['Preparing', 'Building', 'Completing', 'Completed'];
const RESULTS = ['Passed', 'Failed', 'Cancelled'] as const;

export function reportRoutes({ queue, ...access }: ReportParts): Route[] {
  return ofBuildKeeper([
    {
      method: 'POST',
      path: REPORTS_PATH,
      version: null,
      permission: 'anyone',
      rawBody: { maxBytes: MAX_BYTES },
      worksInMaintenance: true,
      description: { chapter: 'agent-protocol', ...REPORT },
      before: (request) => {
        agentOf(access, request);
        return [];
      },
      handle: async (request) => {
        const { uuid } = agentOf(access, request);
        const report = reportIn(await readUntrustedJson(request));
        const id = Number(/^\d{1,15}$/.exec(request.params.job ?? '')?.[0] ?? Number.NaN);
        if (Number.isNaN(id)) throw new Refusal('notFound', NO_NUMBER);
        if (!(await queue.report(uuid, id, report))) throw new Refusal('conflict', JOB_OF_ANOTHER_AGENT);
        return jsonAnswer({ is_counted: true }, { type: 'application/json', cacheControl: 'no-store' });
      },
    },
  ]);
}

function reportIn({ instance, epoch, number, state, result }: JsonObject): Report {
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
  if (typeof instance !== 'string') throw new Refusal('invalid', '`instance` must be the text that the agent registered with.');
  if (!isCount(epoch)) throw new Refusal('invalid', '`epoch` must be the number in the work of the job.');
  if (!isCount(number)) throw new Refusal('invalid', '`number` must count the reports of the job: 1, 2, 3 …');
  const known = STATES.find((one) => one === state);
  if (!known) throw new Refusal('invalid', `\`state\` must be one of ${STATES.join(', ')}.`);
  const ended = RESULTS.find((one) => one === result);
  if (!ended && (result !== undefined || known === 'Completing' || known === 'Completed'))
    throw new Refusal('invalid', `\`result\` must be one of ${RESULTS.join(', ')}.`);
  return { instance, epoch, number, state: known, ...(ended && { result: ended }) };
}
