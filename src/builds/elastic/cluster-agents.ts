// The agents of one cluster profile: lists them, and carries out the decisions about them.

import { isDeepStrictEqual } from 'node:util';
import type { AgentOwner, ListedAgent } from '../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { truncate } from '../../kit/text/truncate.ts';
import { elasticAgentIdFor, isElasticAgentIdFor } from '../agents/elastic-agent-id.ts';
import type { ActiveJob } from '../jobs/active-builds.ts';
import { locatorOf } from '../jobs/work.ts';
import { decideAgents, type RegisteredAgent, type Removal, type WaitReason } from './decide-agents.ts';
import type { Cluster, ElasticParts } from './elastic-parts.ts';
import { type Failures, failedAgain, retryAt } from './retry.ts';

interface Parts extends ElasticParts {
  /** By the ids of agents. */
  registered(): ReadonlyMap<string, RegisteredAgent>;
  /** Takes an agent from the registry, if it is there. */
  forget(agentId: string): Promise<void>;
  /** Work that goes on while the cluster is looked at again. */
  begin(work: Promise<void>): void;
  /** Looks again soon. */
  again(): void;
}

/** A cluster in which nothing happens is looked at only so often: for leftover agents that the server does not know any more. */
const QUIET_MS = 60_000;
/** Maximum number of agents that are removed at a time. */
const MAX_REMOVED = 20;
/** Users read it at the job that waits for the agent. */
const MAX_DETAIL_LENGTH = 300;

export class ClusterAgents {
  readonly #parts: Parts;
  /** By job. */
  readonly #failures = new Map<number, Failures>();
  /** Jobs whose agents were requested from the cluster, until a list shows the outcome. */
  readonly #requested = new Set<number>();
  /** Of those, the ones for which it has answered. */
  readonly #answered = new Set<number>();
  /** Agents that could not be removed, by their ids. */
  readonly #stuck = new Map<string, Failures>();
  #waiting: ReadonlyMap<number, WaitReason> = new Map();
  /** Of the cluster itself. */
  #clusterFailures: Failures | undefined;
  #checkedAt: number | undefined;
  #hadAgents = false;
  #isChecking = false;
  #isWoken = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stateOf(jobId: number): WaitReason | undefined {
    return this.#waiting.get(jobId);
  }

  /** Failed actions are tried again without waiting. */
  retryNow(): void {
    if (this.#clusterFailures) this.#clusterFailures = { ...this.#clusterFailures, at: 0 };
    for (const [id, failures] of this.#failures) this.#failures.set(id, { ...failures, at: 0 });
    for (const [name, failures] of this.#stuck) this.#stuck.set(name, { ...failures, at: 0 });
  }

  /** Never rejects: failures are shown with the jobs that wait. */
  async check(cluster: Cluster, signal: AbortSignal): Promise<void> {
    if (this.#isChecking) {
      this.#isWoken = true;
      return;
    }
    if (!this.#isDue(cluster)) {
      if (this.#clusterFailures) this.#reportUnavailable(cluster, this.#clusterFailures);
      return;
    }
    this.#isChecking = true;
    try {
      await this.#checkNow(cluster, signal);
      this.#clusterFailures = undefined;
    } catch (failure) {
      if (!signal.aborted) this.#onUnavailable(cluster, failure as Error);
    } finally {
      this.#isChecking = false;
      this.#checkedAt = this.#parts.state.now();
      if (this.#isWoken) this.#parts.again();
      this.#isWoken = false;
    }
  }

  #isDue(cluster: Cluster): boolean {
    const now = this.#parts.state.now();
    if (this.#clusterFailures) return retryAt(this.#clusterFailures) <= now;
    if (this.#checkedAt === undefined || this.#hadAgents || this.#requested.size > 0 || this.#waiting.size > 0) return true;
    return now - this.#checkedAt >= QUIET_MS || this.#waitingJobs(cluster).length > 0;
  }

  async #checkNow(cluster: Cluster, signal: AbortSignal): Promise<void> {
    const { state, networkPolicy, isReady, isHeld } = this.#parts;
    const settings = await cluster.settings();
    // A list that was begun before an answer may not have that agent yet.
    const answered = [...this.#answered];
    const agents = this.#verified(await cluster.plugin.listAgents(this.#ownerOf(cluster), settings, { signal, networkPolicy }));
    if (signal.aborted || !isReady()) return;
    for (const id of answered) for (const ids of [this.#requested, this.#answered]) ids.delete(id);
    this.#hadAgents = agents.length > 0;
    const jobs = new Map(this.#waitingJobs(cluster).map((job) => [job.row.id, job]));
    const registered = this.#parts.registered();
    const names = new Set(agents.map(({ agentId }) => agentId));
    for (const name of this.#stuck.keys()) if (!names.has(name)) this.#stuck.delete(name);
    for (const id of this.#failures.keys()) if (!jobs.has(id)) this.#failures.delete(id);
    const decisions = decideAgents({
      now: state.now(),
      limits: cluster.plugin.limitsOf(settings),
      agents,
      waiting: [...jobs.keys()].map((id) => ({ id, failures: this.#failures.get(id) })),
      asked: this.#requested,
      stuck: new Set(this.#stuck.keys()),
      registered: (agentId) => registered.get(agentId),
      isHeld: isHeld(),
    });
    for (const agent of decisions.kept) if (!registered.has(agent.agentId)) this.#restoreKey(agent, cluster, jobs.get(agent.jobId));
    for (const { agent, failure } of decisions.removals) if (failure !== undefined) this.#failed(agent.jobId, failure);
    for (const job of decisions.creations.flatMap((id) => jobs.get(id) ?? []))
      this.#create(job, this.#newName(job, names), cluster, settings, signal);
    this.#setWaiting(decisions.waiting);
    await this.#removeDue(decisions.removals, cluster, settings, signal);
  }

  /** One that cannot be removed is in the way of no other, and is tried again after a while. */
  async #removeDue(removals: readonly Removal[], cluster: Cluster, settings: SettingValues, signal: AbortSignal): Promise<void> {
    const isDue = ({ agent }: Removal) => {
      const failures = this.#stuck.get(agent.agentId);
      return failures === undefined || retryAt(failures) <= this.#parts.state.now();
    };
    const some = removals.filter(isDue).slice(0, MAX_REMOVED);
    await Promise.all(some.map((removal) => this.#remove(removal, cluster, settings, signal)));
  }

  /** Nothing in the cluster has it: an agent that is stuck keeps its own. */
  #newName({ row: { id } }: ActiveJob, taken: ReadonlySet<string>): string {
    const serverId = this.#parts.serverId();
    let attempt = (this.#failures.get(id)?.count ?? 0) + 1;
    while (taken.has(elasticAgentIdFor(serverId, id, attempt))) attempt++;
    return elasticAgentIdFor(serverId, id, attempt);
  }

  /** Other users of a cluster could write labels that claim the agents of others, or a name that is bound to no job. */
  #verified(agents: readonly ListedAgent[]): readonly ListedAgent[] {
    const serverId = this.#parts.serverId();
    return agents
      .filter(({ agentId, jobId }) => isElasticAgentIdFor(agentId, serverId, jobId))
      .map((agent) => ({ ...agent, detail: truncate(agent.detail, MAX_DETAIL_LENGTH) }));
  }

  /** A server that has taken over, or was started again, knows only the data written on the agents. */
  #restoreKey({ agentId, keyHash, createdAt }: ListedAgent, { plugin }: Cluster, job: ActiveJob | undefined): void {
    if (!job) return;
    const elastic = { agentId, pluginId: plugin.id, environment: this.#environmentOf(job) };
    this.#parts.registry.restoreOneTimeKey(keyHash, createdAt, { local: false, elastic });
  }

  #create(job: ActiveJob, agentId: string, cluster: Cluster, settings: SettingValues, signal: AbortSignal): void {
    const { id } = job.row;
    this.#requested.add(id);
    const work = this.#createAgent(job, agentId, cluster, settings, signal)
      .catch((failure: unknown) => {
        if (!signal.aborted) this.#failed(id, `The cluster profile '${cluster.id}' gave no agent: ${(failure as Error).message}`);
      })
      .finally(() => {
        this.#answered.add(id);
        this.#parts.again();
      });
    this.#parts.begin(work);
  }

  async #createAgent(job: ActiveJob, agentId: string, cluster: Cluster, settings: SettingValues, signal: AbortSignal): Promise<void> {
    const { registry, state, networkPolicy, profileSettings, siteUrl, note } = this.#parts;
    const { plugin } = cluster;
    const { id } = job.row;
    const environment = this.#environmentOf(job);
    const createdAt = state.now();
    const key = registry.issueOneTimeKey({ local: false, elastic: { agentId, pluginId: plugin.id, environment } });
    const labels = { agentId, jobId: id, keyHash: sha256(key), createdAt };
    const order = { ...labels, ...this.#ownerOf(cluster), job: nameOf(job), environment, key, siteUrl: siteUrl() };
    await note(job, `[Slipway] The cluster of the cluster profile '${cluster.id}' is asked for the agent ${agentId}.`);
    await plugin.createAgent(order, settings, profileSettings(job.plan.job.elasticProfileId ?? ''), { signal, networkPolicy });
  }

  async #remove({ agent: { agentId, jobId } }: Removal, cluster: Cluster, settings: SettingValues, signal: AbortSignal): Promise<void> {
    if (!this.#isOfOther(cluster, jobId)) await this.#parts.forget(agentId);
    const { networkPolicy, state, onFailure } = this.#parts;
    try {
      await cluster.plugin.removeAgent(agentId, settings, { signal, networkPolicy });
    } catch (failure) {
      if (signal.aborted) return;
      this.#stuck.set(agentId, failedAgain(this.#stuck.get(agentId), (failure as Error).message, state.now()));
      onFailure(failure, `the agent ${agentId} could not be removed from the cluster of the cluster profile '${cluster.id}'`);
    }
  }

  #failed(jobId: number, message: string): void {
    this.#failures.set(jobId, failedAgain(this.#failures.get(jobId), message, this.#parts.state.now()));
  }

  #onUnavailable(cluster: Cluster, failure: Error): void {
    const message = `The cluster of the cluster profile '${cluster.id}' cannot be used: ${failure.message}`;
    this.#clusterFailures = failedAgain(this.#clusterFailures, message, this.#parts.state.now());
    this.#reportUnavailable(cluster, this.#clusterFailures);
  }

  #reportUnavailable(cluster: Cluster, { message }: Failures): void {
    const state = { message: `${message} It is tried again.`, problem: message };
    this.#setWaiting(new Map(this.#waitingJobs(cluster).map(({ row }) => [row.id, state])));
  }

  #setWaiting(waiting: ReadonlyMap<number, WaitReason>): void {
    const hasChanged = !isDeepStrictEqual(waiting, this.#waiting);
    this.#waiting = waiting;
    if (hasChanged) this.#parts.onWaitingChanged();
  }

  #waitingJobs({ id }: Cluster): ActiveJob[] {
    const { state, clusterOf } = this.#parts;
    const isOfCluster = ({ plan: { job } }: ActiveJob) => job.elasticProfileId !== null && clusterOf(job.elasticProfileId) === id;
    return [...state.active.waiting()].filter(isOfCluster);
  }

  /** Whether another cluster looks after the job: then a removal by this cluster must not take the job from the agent that has it. */
  #isOfOther({ id }: Cluster, jobId: number): boolean {
    const { state, clusterOf } = this.#parts;
    const job = state.active.job(jobId);
    return job !== undefined && clusterOf(job.plan.job.elasticProfileId ?? '') !== id;
  }

  #environmentOf(job: ActiveJob): string | null {
    return this.#parts.queue.assignable(job)?.environment ?? null;
  }

  #ownerOf({ id }: Cluster): AgentOwner {
    return { serverId: this.#parts.serverId(), clusterId: id };
  }
}

function nameOf(job: ActiveJob): string {
  const { pipeline, pipeline_counter: run, stage, stage_counter: stageRun, job: name } = locatorOf(job);
  return `${pipeline}/${run}/${stage}/${stageRun}/${name}`;
}
