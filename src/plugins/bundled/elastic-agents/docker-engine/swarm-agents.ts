// Agents as services of a Docker swarm, by the HTTP interface of the Docker Engine of one of its managers.
import type { AgentOrder, AgentOwner, ClusterTools, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readText } from '../../../setting-values.ts';
import { ownerLabels, readLabels } from '../calls/agent-labels.ts';
import { linesOf } from '../calls/agent-variables.ts';
import { type ApiEndpoint, call, jsonOf } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { LABELS } from './container.ts';
import { dockerEndpoint } from './docker-endpoint.ts';
import { loginAt } from './registry-login.ts';
import { type SecretFile, serviceOf, wantedSecret } from './service.ts';

const NOT_FOUND = 404;
const CONFLICT = 409;

export async function createAgent(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  tools: ClusterTools,
): Promise<void> {
  const endpoint = dockerEndpoint(cluster);
  const body = serviceOf(order, pluginId, cluster, profile, await secretsOf(profile, endpoint, tools));
  // An existing service of this name was made by the same attempt.
  const headers = loginAt(cluster, readText(profile, 'Image'));
  await call(endpoint, { method: 'POST', path: '/services/create', body, headers, alsoWanted: [CONFLICT] }, tools);
}

export async function listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]> {
  const endpoint = dockerEndpoint(cluster);
  const label = Object.entries(ownerLabels(owner, LABELS)).map(([name, value]) => `${name}=${value}`);
  const services = await list('/services', { label }, endpoint, tools);
  if (services.length === 0) return [];
  const tasks = await list('/tasks', { service: services.flatMap(({ ID }) => textIn(ID) ?? []) }, endpoint, tools);
  const statusOf = new Map(tasks.map(({ ServiceID, Status }) => [ServiceID, objectIn(Status)]));
  return services.flatMap(({ ID, Spec }) => agentIn(objectIn(Spec), statusOf.get(ID) ?? {}) ?? []);
}

type Filters = Readonly<Record<string, readonly string[]>>;

async function list(path: string, filters: Filters, endpoint: ApiEndpoint, tools: ClusterTools): Promise<readonly Members[]> {
  const found = jsonOf(await call(endpoint, { method: 'GET', path, query: { filters: JSON.stringify(filters) } }, tools), endpoint);
  if (Array.isArray(found)) return found.map(objectIn);
  throw new ClusterFailure('Docker answered with something that is no list.');
}

/** Docker wants the ids of secrets, people know their names. */
async function secretsOf(profile: SettingValues, endpoint: ApiEndpoint, tools: ClusterTools): Promise<readonly SecretFile[]> {
  const wanted = linesOf(profile, 'Secrets').map(wantedSecret);
  if (wanted.length === 0) return [];
  const found = await list('/secrets', { name: wanted.map(({ name }) => name) }, endpoint, tools);
  const ids = new Map(found.map(({ ID, Spec }) => [objectIn(Spec).Name, textIn(ID)]));
  return wanted.map(({ name, file }) => {
    const id = ids.get(name);
    if (id === undefined) throw new ClusterFailure(`The swarm has no secret '${name}', which the elastic profile asks for.`);
    return { SecretID: id, SecretName: name, File: file };
  });
}

export async function removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const path = `/services/${encodeURIComponent(agentId)}`;
  await call(dockerEndpoint(cluster), { method: 'DELETE', path, alsoWanted: [NOT_FOUND] }, tools);
}

const ENDED = new Set(['complete', 'failed', 'rejected', 'shutdown', 'orphaned', 'remove']);

function agentIn({ Labels }: Members, { State, Err }: Members): ListedAgent | undefined {
  const labels = readLabels(objectIn(Labels), LABELS);
  const state = textIn(State) ?? 'new';
  const detail = [state, textIn(Err)].filter((one) => one !== undefined).join(', ');
  return labels && { ...labels, state: ENDED.has(state) ? 'ended' : state === 'running' ? 'running' : 'starting', detail };
}
