// Why a job waits: which agents do not take it, and by which rule.

import { type AssignableAgent, type AssignableJob, type Mismatch, mayTake } from './assign.ts';
import type { JobState } from './job-states.ts';
import { elasticNeed } from './stranded-jobs.ts';

export interface AgentEligibility {
  readonly uuid: string;
  /** `no_contact`: it has lost contact; `busy`: it would take the job if it had no other; undefined: it takes it. */
  readonly rule: Mismatch['rule'] | 'no_contact' | 'busy' | undefined;
  readonly message: string;
}

export interface JobWhyReason {
  readonly rule: Mismatch['rule'] | 'no_contact' | 'busy' | 'no_agent' | 'maintenance' | 'disk_full' | 'not_configured' | 'completed';
  readonly message: string;
}

export interface JobWhy {
  readonly willRun: boolean;
  readonly reasons: readonly JobWhyReason[];
  readonly agents: readonly AgentEligibility[];
}

export interface JobToExplain {
  readonly state: JobState;
  readonly result: string;
  /** undefined: it is not in the configuration any more. */
  readonly assignable: AssignableJob | undefined;
  /** The state of the server's attempt to get an elastic agent for it; undefined: there is none. */
  readonly elasticState?: string | undefined;
}

export interface WaitingFacts {
  readonly agents: readonly AssignableAgent[];
  hasContact(uuid: string): boolean;
  isBusy(uuid: string): boolean;
  readonly isInMaintenance: boolean;
  readonly isDiskFull: boolean;
}

export function whyJob(job: JobToExplain, facts: WaitingFacts): JobWhy {
  const { state, assignable } = job;
  if (state === 'Completed' || state === 'Rescheduled')
    return stopped('completed', `The job has ended: ${job.result}. Run it again to get another one.`);
  if (state !== 'Scheduled') return { willRun: true, reasons: [], agents: [] };
  if (!assignable) return stopped('not_configured', 'The job is not in the configuration any more: it will be cancelled.');
  const eligibilities = facts.agents.map((agent) => eligibilityOf(assignable, agent, facts));
  const held = heldBy(facts);
  if (eligibilities.some(({ rule }) => rule === undefined)) return { willRun: held.length === 0, reasons: held, agents: eligibilities };
  const reasons =
    job.elasticState === undefined ? reasonsOf(assignable, eligibilities) : [{ rule: 'elastic' as const, message: job.elasticState }];
  return { willRun: false, reasons: [...held, ...reasons], agents: eligibilities };
}

function stopped(rule: JobWhyReason['rule'], message: string): JobWhy {
  return { willRun: false, reasons: [{ rule, message }], agents: [] };
}

/** The reasons why the queue gives no job to any agent. */
function heldBy({ isInMaintenance, isDiskFull }: WaitingFacts): JobWhyReason[] {
  const held: (JobWhyReason | false)[] = [
    isInMaintenance && {
      rule: 'maintenance',
      message: 'The server is in maintenance mode: no job is given to agents until it is switched off.',
    },
    isDiskFull && {
      rule: 'disk_full',
      message: 'There is not enough space on the disk of the server: no job is given to agents until there is.',
    },
  ];
  return held.filter((one) => one !== false);
}

function eligibilityOf(job: AssignableJob, agent: AssignableAgent, { hasContact, isBusy }: WaitingFacts): AgentEligibility {
  const { uuid } = agent;
  const match = mayTake(job, agent);
  if (match !== true) return { uuid, ...match };
  if (!hasContact(uuid)) return { uuid, rule: 'no_contact', message: 'The server has no contact with the agent.' };
  return isBusy(uuid)
    ? { uuid, rule: 'busy', message: 'The agent works on another job.' }
    : { uuid, rule: undefined, message: 'The agent may take the job when it asks for work.' };
}

function reasonsOf(job: AssignableJob, eligibilities: readonly AgentEligibility[]): JobWhyReason[] {
  const failed = new Set(eligibilities.map(({ rule }) => rule));
  const none: JobWhyReason = {
    rule: 'no_agent',
    message: eligibilities.length === 0 ? 'There is no agent. Start one, and enable it.' : 'No agent may take the job now.',
  };
  if (failed.has('busy'))
    return [{ rule: 'busy', message: 'All agents that may take the job work on other jobs. It runs when one of them is done.' }];
  // Where there is no agent at all, an ordinary one would not help it.
  if (job.elastic && eligibilities.length === 0) return [{ rule: 'elastic', message: elasticNeed(job.elastic) }];
  const rules = (['no_contact', 'disabled', 'pinned', 'environment', 'elastic', 'resources'] as const).filter((rule) => failed.has(rule));
  return [none, ...rules.map((rule) => ({ rule, message: WHAT_HELPS[rule](job) }))];
}

const WHAT_HELPS: Readonly<Record<Mismatch['rule'] | 'no_contact', (job: AssignableJob) => string>> = {
  no_contact: () => 'The server has no contact with agents that may take the job. Start one of them, or check that it reaches the server.',
  disabled: () => 'Some agents are disabled, or wait to be enabled. Enable one.',
  pinned: ({ pinnedTo }) => `The job is for the agent '${pinnedTo}' only. It runs when that one asks for work.`,
  environment: ({ environment }) =>
    environment === null
      ? 'The pipeline is in no environment. It runs on an agent that is in none, or when the pipeline is added to the environment of one.'
      : `The pipeline is in the environment '${environment}'. Add an agent to it.`,
  elastic: ({ elastic }) =>
    elastic ? elasticNeed(elastic) : 'The job has no elastic profile, and elastic agents take only jobs that have one.',
  resources: ({ resources }) =>
    `The job needs an agent with ${resources.map((name) => `'${name}'`).join(', ')}. Give these resources to one.`,
};
