// Agents on demand: one for each job that asks for one, made in its cluster and removed after the job. It works on the keeper, from each `start` to the next `stop`.
import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import type { Agent } from '../agents/agent.ts';
import { jobOfElasticAgentId } from '../agents/elastic-agent-id.ts';
import { isLost } from '../agents/runtime-state.ts';
import type { ActiveJob } from '../jobs/active-builds.ts';
import { ClusterAgents } from './cluster-agents.ts';
import type { RegisteredAgent, WaitReason } from './decide-agents.ts';
import type { Cluster, ElasticParts } from './elastic-parts.ts';

/** The actor in the events of agents that are removed after their job. */
const ACTOR = 'Slipway';
const ABOUT_TO_BE_ASKED: WaitReason = { message: 'The cluster is about to be asked for an agent.' };

export class ElasticAgents {
  readonly #parts: ElasticParts;
  readonly #clusters = new Map<string, ClusterAgents>();
  readonly #pending = new PendingWork();
  #stopping: AbortController | undefined;
  #startedAt = 0;
  #wakeUp: NodeJS.Immediate | undefined;

  constructor(parts: ElasticParts) {
    this.#parts = parts;
    parts.state.active.listen(({ plan }) => {
      if (plan.job.elasticProfileId !== null) this.wake();
    });
  }

  start(): void {
    this.#startedAt = this.#parts.state.now();
    this.#stopping = new AbortController();
    this.wake();
  }

  /** Returns when no request to a cluster is under way. Agents stay: the next keeper finds them. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error('The server is about to stop.'));
    this.#stopping = undefined;
    clearImmediate(this.#wakeUp);
    this.#wakeUp = undefined;
    await this.#pending.ended();
    this.#clusters.clear();
  }

  /** Asks the clusters soon: something has changed. */
  wake(): void {
    if (!this.#stopping) return;
    this.#wakeUp ??= setImmediate(() => {
      this.#wakeUp = undefined;
      this.check();
    });
  }

  /** A user has changed the profiles: failed requests may succeed now. */
  profilesChanged(): void {
    for (const cluster of this.#clusters.values()) cluster.retryNow();
    this.wake();
  }

  /** Slow work goes on in the background. */
  check(): void {
    const { signal } = this.#stopping ?? {};
    if (signal) void this.#pending.add(this.#check(signal).catch((failure: unknown) => this.#failed(failure)));
  }

  /** Undefined: the plugin starts no agents, so an administrator has to. */
  stateOf({ row, plan }: ActiveJob): WaitReason | undefined {
    const { elasticProfileId: profile } = plan.job;
    const cluster = profile === null ? undefined : this.#parts.clusterOf(profile);
    return cluster === undefined ? undefined : (this.#clusters.get(cluster)?.stateOf(row.id) ?? ABOUT_TO_BE_ASKED);
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { state, isReady, clusters } = this.#parts;
    // A job whose end is not on disk yet may still need its agent.
    await state.writer.written();
    if (signal.aborted || !isReady()) return;
    const present = clusters();
    for (const id of this.#clusters.keys()) if (!present.some((cluster) => cluster.id === id)) this.#clusters.delete(id);
    for (const cluster of present) void this.#pending.add(this.#agentsOf(cluster).check(cluster, signal));
    await this.#reclaimJobs();
    await this.#removeFinished();
  }

  #agentsOf({ id }: Cluster): ClusterAgents {
    return this.#clusters.getOrInsertComputed(
      id,
      () =>
        new ClusterAgents({
          ...this.#parts,
          registered: () => new Map(this.#elasticAgents().map((agent) => [agent.elastic!.agentId, this.#factsOf(agent)])),
          forget: (agentId) => this.#forget(agentId),
          begin: (work) => void this.#pending.add(work),
          again: () => this.wake(),
        }),
    );
  }

  #elasticAgents(): Agent[] {
    return this.#parts.registry.all().filter(({ elastic }) => elastic && jobOfElasticAgentId(elastic.agentId) !== undefined);
  }

  #factsOf({ uuid, configState }: Agent): RegisteredAgent {
    const { state, queue, lastContactAt } = this.#parts;
    return {
      isWorking: state.active.ofAgent(uuid) !== undefined || queue.isCancelling(uuid),
      isLost: isLost(lastContactAt(uuid) ?? this.#startedAt, state.now()),
      isDisabled: configState === 'Disabled',
    };
  }

  /** Jobs of agents that were deleted while their reports could not be written. */
  async #reclaimJobs(): Promise<void> {
    const { state, queue, registry } = this.#parts;
    const assigned = [...state.active.jobs()].flatMap(({ row, plan }) =>
      plan.job.elasticProfileId === null ? [] : (row.agent_uuid ?? []),
    );
    if (assigned.length === 0) return;
    const known = new Set(registry.all().map(({ uuid }) => uuid));
    for (const uuid of assigned) if (!known.has(uuid)) await queue.lost(uuid);
  }

  /** Agents whose job is over, also where their cluster does not answer or is not configured any more. They end once the server reports them deleted. */
  async #removeFinished(): Promise<void> {
    for (const agent of this.#elasticAgents()) {
      const job = this.#parts.state.active.job(jobOfElasticAgentId(agent.elastic!.agentId)!);
      const { isWorking, isLost: isGone } = this.#factsOf(agent);
      if (isGone || (!isWorking && job?.row.state !== 'Scheduled')) await this.#removeAgent(agent);
    }
  }

  async #forget(agentId: string): Promise<void> {
    const agent = this.#elasticAgents().find(({ elastic }) => elastic?.agentId === agentId);
    if (agent) await this.#removeAgent(agent);
  }

  /** First it cannot ask for work any more, then its job is given to another agent. */
  async #removeAgent({ uuid }: Agent): Promise<void> {
    const { registry, queue } = this.#parts;
    await registry.remove(() => registry.all().filter((agent) => agent.uuid === uuid), ACTOR);
    await queue.lost(uuid);
  }

  #failed(failure: unknown): void {
    this.#parts.onFailure(failure, 'elastic agents could not be looked after');
  }
}
