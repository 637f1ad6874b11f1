// The interface of plugins that start agents on demand, beyond their description. Settings are clear text, and stay in the plugin.
import type { Plugin, SettingValues } from './plugin.ts';
import type { NetworkPolicy } from './poll-tools.ts';

/** The labels that are written on an agent in its cluster, and read back from there: the server keeps no table of its own. */
export interface AgentLabels {
  /** Its name in the cluster, by which it also registers. */
  readonly agentId: string;
  /** The only job it takes. */
  readonly jobId: number;
  /** Of the key with which it registers. */
  readonly keyHash: string;
  /** Milliseconds, by the clock of the server. */
  readonly createdAt: number;
}

/** The owner of elastic agents: two servers, or two cluster profiles, may share a cluster. */
export interface AgentOwner {
  readonly serverId: string;
  readonly clusterId: string;
}

export interface AgentOrder extends AgentLabels, AgentOwner {
  /** `pipeline/1/stage/1/job`. */
  readonly job: string;
  /** The environment of the pipeline. */
  readonly environment: string | null;
  /** Lets one agent register, within half an hour. */
  readonly key: string;
  /** Where agents reach the server if the cluster profile does not say. */
  readonly siteUrl: string;
}

export interface ListedAgent extends AgentLabels {
  /** `unstarted`: the plugin has yet to start it; `starting`: it waits for its place or its image; `ended`: it will not come back. */
  readonly state: 'unstarted' | 'starting' | 'running' | 'ended';
  /** The message of the cluster about the state. */
  readonly detail: string;
}

export interface ClusterLimits {
  /** How many agents there may be; undefined: as many as jobs want. */
  readonly maxAgents?: number;
  /** How many of them may be starting. */
  readonly maxStarting?: number;
  /** How long an agent has to register. */
  readonly registerWithinMs: number;
}

export interface ClusterTools {
  /** Aborted when the caller does not wait for the answer any more. */
  readonly signal: AbortSignal;
  readonly networkPolicy: NetworkPolicy;
}

/** All that ask the cluster reject, in words without secrets, when it refuses or does not answer. */
export interface ElasticAgentPlugin extends Plugin {
  readonly kind: 'elastic-agent';
  limitsOf(cluster: SettingValues): ClusterLimits;
  /** Where the cluster would be asked with an account of the server itself: the setting in which one of its own is missing. */
  missingAccount?(cluster: SettingValues): string | undefined;
  /** An agent of this name that is there already is left as it is. */
  createAgent(order: AgentOrder, cluster: SettingValues, profile: SettingValues, tools: ClusterTools): Promise<void>;
  listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]>;
  /** At once, even if it is busy. An agent that is gone is no failure. */
  removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void>;
}
