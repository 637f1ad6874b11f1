// Which agents of a cluster have to go, and which jobs get a new one: plain facts in, decisions out.
import type { ClusterLimits, ListedAgent } from '../../contracts/plugins/elastic-agent.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import { type Failures, retryAt } from './retry.ts';

export interface WaitingJob {
  readonly id: number;
  /** Of agents that were to be made for it. */
  readonly failures: Failures | undefined;
}

/** An agent of the cluster that has come to the server. */
export interface RegisteredAgent {
  /** It has a job, or ends one that was cancelled. */
  readonly isWorking: boolean;
  /** It had no contact for too long. */
  readonly isLost: boolean;
  /** A user has disabled it. */
  readonly isDisabled: boolean;
}

export interface ClusterFacts {
  readonly now: number;
  readonly limits: ClusterLimits;
  readonly agents: readonly ListedAgent[];
  /** The jobs that wait for an agent of this cluster, oldest first. */
  readonly waiting: readonly WaitingJob[];
  /** Jobs whose agents the cluster is being asked for now. */
  readonly asked: ReadonlySet<number>;
  /** The ids of agents that were to go, and that the cluster did not remove. */
  readonly stuck: ReadonlySet<string>;
  registered(agentId: string): RegisteredAgent | undefined;
  /** Nothing new may start. */
  readonly isHeld: boolean;
}

export interface Removal {
  readonly agent: ListedAgent;
  /** Why the job for which it was made still has none. */
  readonly failure?: string;
}

/** The reason why a job waits. */
export interface WaitReason {
  readonly message: string;
  /** The problem that an administrator has to solve; undefined: it only takes its time. It stays the same while an agent is tried again. */
  readonly problem?: string;
}

export interface Decisions {
  readonly removals: readonly Removal[];
  readonly kept: readonly ListedAgent[];
  /** The jobs to ask for agents for. */
  readonly creations: readonly number[];
  readonly waiting: ReadonlyMap<number, WaitReason>;
}

export function decideAgents(facts: ClusterFacts): Decisions {
  const waitingIds = new Set(facts.waiting.map(({ id }) => id));
  const decided = facts.agents.map((agent) => ({
    agent,
    decision: facts.stuck.has(agent.agentId) ? 'done' : decideAgent(agent, waitingIds.has(agent.jobId), facts),
  }));
  const kept = decided.filter(({ decision }) => decision === 'keep').map(({ agent }) => agent);
  const removals = decided.flatMap(({ agent, decision }) =>
    decision === 'keep' ? [] : [{ agent, ...(decision !== 'done' && { failure: decision.failure }) }],
  );
  return { removals, kept, ...newAgents(facts, kept, removals) };
}

const BEING_CREATED = 'The cluster is being asked for an agent.';
/** Maximum number of agents a cluster is asked for at a time. */
const MAX_REQUESTED = 10;

type AgentDecision = 'keep' | 'done' | { readonly failure: string };

function decideAgent(agent: ListedAgent, isWaitedFor: boolean, { now, limits, asked, registered }: ClusterFacts): AgentDecision {
  const { agentId, jobId, state, detail, createdAt } = agent;
  const known = registered(agentId);
  if (!isWaitedFor) return known?.isWorking && !known.isLost && state !== 'ended' ? 'keep' : 'done';
  if (known?.isLost) return { failure: `The agent ${agentId} has lost contact before it took the job.` };
  if (state === 'ended') return { failure: `The agent ${agentId} has ended before it took the job: ${detail}.` };
  // The server that made it was killed, or lost its lease.
  if (state === 'unstarted' && !asked.has(jobId)) return { failure: `The agent ${agentId} was made, but not started.` };
  // A time to come is none that this server has written, or its clock was wrong.
  if (known || Math.abs(now - createdAt) < limits.registerWithinMs) return 'keep';
  const minutes = Math.round(limits.registerWithinMs / 60_000);
  return { failure: `The agent ${agentId} did not register within ${pluralize(minutes, 'minute')}. In the cluster it is ${detail}.` };
}

function newAgents(
  { now, limits, waiting, asked, stuck, registered, isHeld }: ClusterFacts,
  kept: readonly ListedAgent[],
  removals: readonly Removal[],
) {
  const agentOf = new Map(kept.map((agent) => [agent.jobId, agent]));
  const failed = new Map(removals.flatMap(({ agent, failure }) => (failure === undefined ? [] : [[agent.jobId, failure] as const])));
  // Agents that are stuck take up room as long as they are there.
  const there = [...kept, ...removals.flatMap(({ agent }) => (stuck.has(agent.agentId) ? agent : []))];
  const room = new Room(limits, there, asked);
  const creations: number[] = [];
  const states = new Map<number, WaitReason>();
  for (const { id, failures } of waiting) {
    const agent = agentOf.get(id);
    const failure = failed.get(id) ?? failures?.message;
    if (agent) states.set(id, startingState(agent, registered(agent.agentId), failure));
    else if (asked.has(id)) states.set(id, waitingState(BEING_CREATED, failure));
    else if (failed.has(id) || (failures && retryAt(failures) > now)) states.set(id, waitingState('It is tried again.', failure));
    else if (asked.size + creations.length >= MAX_REQUESTED)
      states.set(id, waitingState('The cluster is asked for agents of other jobs first.', failure));
    else if (isHeld) states.set(id, waitingState('No agent is made now: the server is in maintenance mode, or its disk is full.', failure));
    else if (!room.take()) states.set(id, waitingState(room.refusal, failure));
    else {
      creations.push(id);
      states.set(id, waitingState(BEING_CREATED, failure));
    }
  }
  return { creations, waiting: states };
}

function startingState({ agentId, detail }: ListedAgent, registered: RegisteredAgent | undefined, failure: string | undefined): WaitReason {
  if (registered?.isDisabled)
    return { message: `The agent ${agentId} was made for the job, and an administrator has disabled it. Enable it, or delete it.` };
  if (registered) return { message: `The agent ${agentId} was made for the job, and takes it when it asks for work.` };
  return waitingState(`The agent ${agentId} was made for the job, and has not registered yet. In the cluster it is ${detail}.`, failure);
}

/** An earlier failure stays a problem until an agent has come. */
function waitingState(message: string, failure: string | undefined): WaitReason {
  return failure === undefined ? { message } : { message: `${failure} ${message}`, problem: failure };
}

/** How many more agents the cluster may have. */
class Room {
  #agents: number;
  #starting: number;
  readonly #limits: ClusterLimits;
  refusal = '';

  constructor(limits: ClusterLimits, there: readonly ListedAgent[], asked: ReadonlySet<number>) {
    this.#limits = limits;
    // The list may be older than the question.
    const coming = [...asked].filter((id) => !there.some(({ jobId }) => jobId === id)).length;
    this.#agents = there.length + coming;
    this.#starting = there.filter(({ state }) => state === 'unstarted' || state === 'starting').length + coming;
  }

  take(): boolean {
    const { maxAgents, maxStarting } = this.#limits;
    if (maxAgents !== undefined && this.#agents >= maxAgents)
      this.refusal = `The cluster has as many agents as its cluster profile allows (${maxAgents}). The job gets one when another has ended.`;
    else if (maxStarting !== undefined && this.#starting >= maxStarting)
      this.refusal = `As many agents are starting in the cluster as its cluster profile allows (${maxStarting}). The job gets one when another has started.`;
    else {
      this.#agents++;
      this.#starting++;
      return true;
    }
    return false;
  }
}
