// Why a job waits, over HTTP.
import type { JobWhy } from '../../../builds/jobs/why-job.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Job } from '../../../store/builds/jobs.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { JOB_STATES } from '../runs/schemas.ts';
import { VIEWERS } from '../runs/visibility.ts';
import { INSTANCE, JOBS_CHAPTER, OF_JOB } from './docs.ts';
import { JOB_PATH, jobOf } from './routes.ts';
import { whyJobWaits } from './why-job-waits.ts';

type Agent = ReturnType<BuildRouteParts['agents']>[number];

export function jobWhyRoute(parts: BuildRouteParts): Route {
  const { engine } = parts;
  return {
    method: 'GET',
    path: `${JOB_PATH}/why`,
    version: 1,
    permission: 'user',
    description: {
      chapter: JOBS_CHAPTER,
      summary: 'Why a job waits: which agents do not take it',
      details:
        'Rules: `no_agent` (none may take it), and why not: `no_contact`, `disabled`, `pinned`, `environment`, `elastic`, `resources`; `busy` (those that may are at work), `maintenance`, `disk_full`, `not_configured`, `completed`.',
      callers: VIEWERS,
      parameters: OF_JOB,
      response: WHY,
      example: EXAMPLE,
      failures: INSTANCE.failures!,
    },
    handle: async (request) => {
      const job = await jobOf(parts, request);
      engine.mustBeStarted();
      const agents = parts.agents();
      return jsonAnswer(whyJson(job, agents, whyJobWaits(parts, job, agents)));
    },
  };
}

function whyJson({ state, agent_uuid: uuid }: Job, agents: readonly Agent[], { willRun, reasons, agents: eligibilities }: JobWhy): JsonOut {
  const hostnames = new Map(agents.map((agent) => [agent.uuid, agent.hostname ?? null]));
  return {
    will_run: willRun,
    state,
    agent_uuid: uuid,
    reasons: reasons.map(({ rule, message }) => ({ rule, message })),
    agents: eligibilities.map((one) => ({
      uuid: one.uuid,
      hostname: hostnames.get(one.uuid) ?? null,
      may_take: one.rule === undefined,
      rule: one.rule ?? null,
      message: one.message,
    })),
  };
}

const WHY = objectSchema(
  {
    will_run: described(FLAG, 'Whether it runs, or an agent may take it.'),
    state: { enum: JOB_STATES, description: 'Its state.' },
    agent_uuid: { ...MAYBE_TEXT, description: 'Its agent; null: none yet.' },
    reasons: {
      type: 'array',
      description: 'What stops it, if anything does.',
      items: objectSchema({
        rule: described(TEXT, 'The rule that stops it.'),
        message: described(TEXT, 'What stops it, and what would make it run.'),
      }),
    },
    agents: {
      type: 'array',
      description: 'All agents, while it waits for one.',
      items: objectSchema({
        uuid: described(TEXT, 'The agent.'),
        hostname: { ...MAYBE_TEXT, description: 'The name of its machine.' },
        may_take: described(FLAG, 'Whether it may take the job now.'),
        rule: { ...MAYBE_TEXT, description: 'By which rule it does not; null: it may.' },
        message: described(TEXT, 'The same in words.'),
      }),
    },
  },
  { title: 'Why a job waits' },
);

const EXAMPLE: JsonOut = {
  will_run: false,
  state: 'Scheduled',
  agent_uuid: null,
  reasons: [
    { rule: 'no_agent', message: 'No agent may take the job now.' },
    { rule: 'resources', message: "The job needs an agent with 'jdk'. Give these resources to one." },
  ],
  agents: [
    {
      uuid: 'adb9540a-b954-4571-9d9b-2f330739d4da',
      hostname: 'build-1',
      may_take: false,
      rule: 'resources',
      message: "The agent does not have 'jdk'.",
    },
  ],
};
