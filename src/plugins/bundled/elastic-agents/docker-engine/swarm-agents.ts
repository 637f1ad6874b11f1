// Agents as services of a Docker swarm, by the HTTP interface of the Docker Engine of one of its managers.
import type { AgentOrder, AgentOwner, ClusterTools, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readText } from '../../../setting-values.ts';
import { ownerMarks, readMarks } from '../calls/agent-marks.ts';
import { linesOf } from '../calls/agent-variables.ts';
import { type ApiPlace, call, jsonOf } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { LABELS } from './container.ts';
import { dockerPlace } from './docker-place.ts';
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
  const place = dockerPlace(cluster);
  const body = serviceOf(order, pluginId, cluster, profile, await secretsOf(profile, place, tools));
  // One of this name that is there already was made by the same attempt.
  const headers = loginAt(cluster, readText(profile, 'Image'));
  await call(place, { method: 'POST', path: '/services/create', body, headers, alsoWanted: [CONFLICT] }, tools);
}

export async function listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]> {
  const place = dockerPlace(cluster);
  const label = Object.entries(ownerMarks(owner, LABELS)).map(([name, value]) => `${name}=${value}`);
  const services: readonly ListedService[] = await list('/services', { label }, place, tools);
  if (services.length === 0) return [];
  const tasks: readonly ListedTask[] = await list('/tasks', { service: services.flatMap(({ ID }) => ID ?? []) }, place, tools);
  const statusOf = new Map(tasks.map(({ ServiceID, Status }) => [ServiceID, Status]));
  return services.flatMap((service) => agentIn(service, statusOf.get(service.ID)) ?? []);
}

type Filters = Readonly<Record<string, readonly string[]>>;

async function list(path: string, filters: Filters, place: ApiPlace, tools: ClusterTools): Promise<readonly object[]> {
  const found = jsonOf(await call(place, { method: 'GET', path, query: { filters: JSON.stringify(filters) } }, tools), place);
  if (Array.isArray(found)) return found.filter((one) => typeof one === 'object' && one !== null);
  throw new ClusterFailure('Docker answered with something that is no list.');
}

/** Docker wants the ids of secrets, people know their names. */
async function secretsOf(profile: SettingValues, place: ApiPlace, tools: ClusterTools): Promise<readonly SecretFile[]> {
  const wanted = linesOf(profile, 'Secrets').map(wantedSecret);
  if (wanted.length === 0) return [];
  const found: readonly ListedSecret[] = await list('/secrets', { name: wanted.map(({ name }) => name) }, place, tools);
  const ids = new Map(found.map(({ ID, Spec }) => [Spec?.Name, ID]));
  return wanted.map(({ name, file }) => {
    const id = ids.get(name);
    if (id === undefined) throw new ClusterFailure(`The swarm has no secret '${name}', which the elastic profile asks for.`);
    return { SecretID: id, SecretName: name, File: file };
  });
}

export async function removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const path = `/services/${encodeURIComponent(agentId)}`;
  await call(dockerPlace(cluster), { method: 'DELETE', path, alsoWanted: [NOT_FOUND] }, tools);
}

/** What of the answers is read; another program may answer with anything. */
interface ListedService {
  readonly ID?: string;
  readonly Spec?: { readonly Labels?: Readonly<Record<string, string>> | null };
}

interface ListedSecret {
  readonly ID?: string;
  readonly Spec?: { readonly Name?: string };
}

interface ListedTask {
  readonly ServiceID?: string;
  readonly Status?: { readonly State?: string; readonly Err?: string };
}

const ENDED = new Set(['complete', 'failed', 'rejected', 'shutdown', 'orphaned', 'remove']);

function agentIn({ Spec }: ListedService, status: ListedTask['Status']): ListedAgent | undefined {
  const mark = readMarks(Spec?.Labels ?? {}, LABELS);
  const { State = 'new', Err } = status ?? {};
  const detail = Err ? `${State}, ${Err}` : State;
  return mark && { ...mark, state: ENDED.has(State) ? 'ended' : State === 'running' ? 'running' : 'starting', detail };
}
