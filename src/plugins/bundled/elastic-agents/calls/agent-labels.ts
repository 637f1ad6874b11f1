// The labels of agents in their cluster.
import { createHash } from 'node:crypto';
import type { AgentLabels, AgentOrder, AgentOwner } from '../../../../contracts/plugins/elastic-agent.ts';
import type { Members } from './read-answer.ts';

export interface LabelNames {
  readonly server: string;
  readonly cluster: string;
  readonly agent: string;
  readonly jobId: string;
  readonly job: string;
  readonly keyHash: string;
  readonly createdAt: string;
}

const SHORT_HASH = 16;

/** The labels by which the agents of a server and a cluster profile are found. Names of profiles may hold more than labels may. */
export function ownerLabels({ serverId, clusterId }: AgentOwner, names: LabelNames): Record<string, string> {
  return { [names.server]: serverId, [names.cluster]: createHash('sha256').update(clusterId).digest('hex').slice(0, SHORT_HASH) };
}

export function agentLabels(order: AgentOrder, names: LabelNames): Record<string, string> {
  return {
    [names.agent]: order.agentId,
    [names.jobId]: String(order.jobId),
    [names.job]: order.job,
    [names.keyHash]: order.keyHash,
    [names.createdAt]: String(order.createdAt),
  };
}

/** Undefined: it was not created by Slipway, or its labels were changed. */
export function readLabels(labels: Members, names: LabelNames): AgentLabels | undefined {
  const [agentId, keyHash] = [labels[names.agent], labels[names.keyHash]];
  const [jobId, createdAt] = [Number(labels[names.jobId]), Number(labels[names.createdAt])];
  if (typeof agentId !== 'string' || typeof keyHash !== 'string') return undefined;
  if (!Number.isSafeInteger(jobId) || !Number.isSafeInteger(createdAt)) return undefined;
  return { agentId, jobId, keyHash, createdAt };
}
