// Agents as pods of a Kubernetes cluster, by the HTTP interface of its API server.
import type { AgentOrder, AgentOwner, ClusterTools, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readText } from '../../../setting-values.ts';
import { ownerLabels, readLabels } from '../calls/agent-labels.ts';
import { type ApiEndpoint, call, jsonOf } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { readCount } from '../calls/limits.ts';
import { listIn, type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { METADATA, podOf } from './pod.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;
/** Enough for the signal; the agent has no job any more. */
const GRACE_SECONDS = '1';

export async function createAgent(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  tools: ClusterTools,
): Promise<void> {
  const body = podOf(order, pluginId, cluster, profile);
  // An existing pod of this name was made by the same attempt.
  await call(endpointOf(cluster), { method: 'POST', path: podsOf(cluster), body, alsoWanted: [CONFLICT], ...timeOf(cluster) }, tools);
}

export async function listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]> {
  const endpoint = endpointOf(cluster);
  const labelSelector = Object.entries(ownerLabels(owner, METADATA))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  const answer = await call(endpoint, { method: 'GET', path: podsOf(cluster), query: { labelSelector }, ...timeOf(cluster) }, tools);
  const { items } = objectIn(jsonOf(answer, endpoint));
  if (!Array.isArray(items)) throw new ClusterFailure('Kubernetes answered with something that is no list of pods.');
  return items.flatMap((pod: unknown) => agentIn(objectIn(pod)) ?? []);
}

export async function removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const path = `${podsOf(cluster)}/${encodeURIComponent(agentId)}`;
  const query = { gracePeriodSeconds: GRACE_SECONDS };
  await call(endpointOf(cluster), { method: 'DELETE', path, query, alsoWanted: [NOT_FOUND], ...timeOf(cluster) }, tools);
}

const ENDED = new Set(['Succeeded', 'Failed']);
/** Kubernetes would wait for them without end. */
const HOPELESS = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'CreateContainerConfigError', 'CreateContainerError']);

/** A pod that is being removed counts as removed. */
function agentIn({ metadata, status }: Members): ListedAgent | undefined {
  const { annotations, deletionTimestamp } = objectIn(metadata);
  const labels = deletionTimestamp === undefined ? readLabels(objectIn(annotations), METADATA) : undefined;
  if (!labels) return undefined;
  const { phase: podPhase, reason, containerStatuses } = objectIn(status);
  const phase = textIn(podPhase) ?? 'Unknown';
  const states = listIn(containerStatuses).map((one) => objectIn(objectIn(one).state));
  const waiting = states.map((state) => textIn(objectIn(state.waiting).reason)).find((one) => one !== undefined);
  const terminated = objectIn(states.map((state) => state.terminated).find((one) => one !== undefined));
  const code = typeof terminated.exitCode === 'number' ? `exit code ${terminated.exitCode}` : undefined;
  const why = textIn(reason) ?? waiting ?? textIn(terminated.reason);
  const detail = [phase, why, code].filter((one) => one !== undefined).join(', ');
  const isEnded = ENDED.has(phase) || HOPELESS.has(waiting ?? '');
  return { ...labels, state: isEnded ? 'ended' : phase === 'Pending' ? 'starting' : 'running', detail };
}

function endpointOf(cluster: SettingValues): ApiEndpoint {
  const url = URL.parse(readText(cluster, 'kubernetes_cluster_url').trim());
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new ClusterFailure(
      'kubernetes_cluster_url of the cluster profile must be an address such as https://kubernetes.example.org:6443.',
    );
  const ca = readText(cluster, 'kubernetes_cluster_ca_cert').trim();
  const token = readText(cluster, 'security_token').trim();
  return { url, ...(ca !== '' && { tls: { ca } }), ...(token !== '' && { headers: { authorization: `Bearer ${token}` } }) };
}

function podsOf(cluster: SettingValues): string {
  return `/api/v1/namespaces/${encodeURIComponent(readText(cluster, 'namespace').trim() || 'default')}/pods`;
}

function timeOf(cluster: SettingValues): { readonly timeoutMs?: number } {
  const timeoutMs = readCount(cluster, 'cluster_request_timeout');
  return timeoutMs ? { timeoutMs } : {};
}
