// Agents as containers of one Docker host, by the HTTP interface of the Docker Engine.
import type { AgentOrder, AgentOwner, ClusterTools, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isTrue } from '../../../setting-values.ts';
import { ownerLabels, readLabels } from '../calls/agent-labels.ts';
import { type ApiEndpoint, call, jsonOf } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { type Container, containerOf, LABELS, networksOf } from './container.ts';
import { dockerEndpoint } from './docker-endpoint.ts';
import { pullImage } from './images.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;
const ALREADY_SO = 304;

export async function createAgent(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  tools: ClusterTools,
): Promise<void> {
  const endpoint = dockerEndpoint(cluster);
  const container = containerOf(order, pluginId, cluster, profile);
  if (isTrue(cluster, 'pull_on_container_create')) await pullImage(container.Image, endpoint, cluster, tools);
  if (!(await createContainer(order.agentId, container, endpoint, tools))) {
    await pullImage(container.Image, endpoint, cluster, tools);
    if (!(await createContainer(order.agentId, container, endpoint, tools)))
      throw new ClusterFailure(`Docker has no image ${container.Image}, although it was pulled.`);
  }
  try {
    for (const network of networksOf(profile).slice(1))
      await call(
        endpoint,
        { method: 'POST', path: `/networks/${encodeURIComponent(network)}/connect`, body: { Container: order.agentId } },
        tools,
      );
    await call(endpoint, { method: 'POST', path: `/containers/${order.agentId}/start`, alsoWanted: [ALREADY_SO] }, tools);
  } catch (failure) {
    // One that cannot start is of no use. Where it cannot be removed now either, it is found by its labels later.
    await removeAgent(order.agentId, cluster, tools).catch(() => {});
    throw failure;
  }
}

/** False: there is no such image. One of this name that is there already was made by the same attempt. */
async function createContainer(agentId: string, container: Container, endpoint: ApiEndpoint, tools: ClusterTools): Promise<boolean> {
  const { status } = await call(
    endpoint,
    { method: 'POST', path: '/containers/create', query: { name: agentId }, body: container, alsoWanted: [NOT_FOUND, CONFLICT] },
    tools,
  );
  return status !== NOT_FOUND;
}

export async function listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]> {
  const endpoint = dockerEndpoint(cluster);
  const label = Object.entries(ownerLabels(owner, LABELS)).map(([name, value]) => `${name}=${value}`);
  const query = { all: 'true', filters: JSON.stringify({ label }) };
  const found = jsonOf(await call(endpoint, { method: 'GET', path: '/containers/json', query }, tools), endpoint);
  if (!Array.isArray(found)) throw new ClusterFailure('Docker answered with something that is no list of containers.');
  // A container that is being removed counts as removed.
  return found.map(objectIn).flatMap((one) => (one.State === 'removing' ? [] : (agentIn(one) ?? [])));
}

const STATES = new Map<unknown, ListedAgent['state']>([
  ['created', 'unstarted'],
  ['exited', 'ended'],
  ['dead', 'ended'],
]);

function agentIn({ Labels, State, Status }: Members): ListedAgent | undefined {
  const labels = readLabels(objectIn(Labels), LABELS);
  return labels && { ...labels, state: STATES.get(State) ?? 'running', detail: textIn(Status) ?? textIn(State) ?? 'unknown' };
}

export async function removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const query = { force: 'true', v: 'true' };
  const path = `/containers/${encodeURIComponent(agentId)}`;
  await call(dockerEndpoint(cluster), { method: 'DELETE', path, query, alsoWanted: [NOT_FOUND, CONFLICT] }, tools);
}
