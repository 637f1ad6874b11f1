// Decides about an agent that registers: plain facts in, the resulting agent out.
import type { Registration } from '../../contracts/agent-protocol/messages.ts';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Agent, ElasticIdentity } from './agent.ts';
import { NO_RESOURCES } from './agent-rules.ts';
import { jobOfElasticAgentId } from './elastic-agent-id.ts';
import type { OneTimeKey } from './one-time-keys.ts';

/** `right`: the auto-register key; `one-time` and `local`: a key that was made for this one agent. */
export type KeyCheck = 'none' | 'wrong' | 'right' | 'one-time' | 'local';

export const ALREADY_ISSUED = 'A token has already been issued for this agent.';
const DUPLICATE_ELASTIC = 'Duplicate Elastic agent Id used to register elastic agent.';
const NOT_EXPECTED =
  'The server does not expect this elastic agent: its key is wrong, was used, or is older than 30 minutes. The server makes another one when a job needs it.';
export const WAITS = 'The agent waits for an administrator to enable it.';
const WRONG_KEY = `The key is not the auto-register key of this server. ${WAITS}`;

export interface NewAgentFacts {
  readonly registration: Registration;
  readonly key: KeyCheck;
  readonly address: string;
  readonly tokenHash: string;
  readonly now: number;
  /** An environment as it is written; undefined: there is none. */
  environmentNamed(name: string): string | undefined;
  isElasticKnown(elastic: ElasticIdentity): boolean;
}

export function newAgent({ registration, key, address, tokenHash, now, environmentNamed, isElasticKnown }: NewAgentFacts): Agent {
  const elastic = elasticIn(registration);
  if (elastic) mustHaveNoResources(registration);
  // Its name says for which job it was made: no agent gets that job by the name alone.
  if (elastic && key !== 'one-time' && jobOfElasticAgentId(elastic.agentId) !== undefined) throw new Refusal('invalid', NOT_EXPECTED);
  if (elastic && isElasticKnown(elastic)) throw new Refusal('invalid', DUPLICATE_ELASTIC);
  const mayWork = key !== 'none' && key !== 'wrong';
  return {
    uuid: registration.uuid,
    ...reportedFields(registration, address),
    configState: mayWork ? 'Enabled' : 'Pending',
    ...(mayWork && key !== 'local' ? requestedSettings(registration, environmentNamed) : { resources: [], ownEnvironments: [] }),
    elastic,
    tokenHash,
    isLocal: key === 'local',
    registeredAt: now,
  };
}

/** An agent that has its token: its own data is updated, the settings of administrators stay. */
export function returningAgent(
  known: Agent,
  { registration, key, address, environmentNamed }: Pick<NewAgentFacts, 'registration' | 'key' | 'address' | 'environmentNamed'>,
): Agent {
  // Once administrators have let it work, its name is theirs: they know it by that name.
  const hostname = known.configState === 'Pending' ? registration.hostname : known.hostname;
  const agent = { ...known, ...reportedFields(registration, address), hostname };
  if (known.elastic) mustHaveNoResources(registration);
  // An administrator has given it the key since. A key made for an elastic agent enables no other agent, under any name.
  const isEnabled = known.configState === 'Pending' && key === 'right';
  return isEnabled ? { ...agent, configState: 'Enabled', ...requestedSettings(registration, environmentNamed) } : agent;
}

export function waitingMessage({ configState }: Agent, key: KeyCheck): string | undefined {
  if (configState !== 'Pending') return undefined;
  return key === 'wrong' ? WRONG_KEY : WAITS;
}

function reportedFields({ hostname, sandbox, operating_system, version }: Registration, ipAddress: string) {
  return { hostname, ipAddress, sandbox, operatingSystem: operating_system, version };
}

/** Only agents that know the key may learn which environments there are. */
function requestedSettings({ resources = [], environments = [] }: Registration, environmentNamed: NewAgentFacts['environmentNamed']) {
  const unknown = environments.find((name) => environmentNamed(name) === undefined);
  if (unknown !== undefined)
    throw new Refusal('invalid', unknownEnvironment(unknown), { more: { errors: { environments: [unknownEnvironment(unknown)] } } });
  return { resources, ownEnvironments: environments.map((name) => environmentNamed(name) ?? name) };
}

function mustHaveNoResources({ resources = [] }: Registration): void {
  if (resources.length > 0) throw new Refusal('invalid', NO_RESOURCES, { more: { errors: { resources: [NO_RESOURCES] } } });
}

export function unknownEnvironment(name: string): string {
  return `Environment with name '${name}' was not found!`;
}

/** `issued`: the key was made by this server for one agent. `right`: the auto-register key, if there is one. */
export function checkKey(registration: Registration, issued: OneTimeKey | undefined, right: string | undefined): KeyCheck {
  const { key } = registration;
  if (key === undefined) return 'none';
  if (issued?.elastic) return isIntendedAgent(registration, issued.elastic) ? 'one-time' : 'wrong';
  if (issued) return issued.local ? 'local' : 'one-time';
  return right !== undefined && isEqualTimingSafe(key, right) ? 'right' : 'wrong';
}

/** Whether it is the agent that a key was made for. */
function isIntendedAgent(registration: Registration, intended: ElasticIdentity): boolean {
  const elastic = elasticIn(registration);
  return elastic?.agentId === intended.agentId && elastic.pluginId === intended.pluginId;
}

/** An agent that was made for a job is in the environment of the job, regardless of its own request. */
export function withJobEnvironment(registration: Registration, issued: OneTimeKey | undefined): Registration {
  if (!issued?.elastic) return registration;
  const { environment } = issued.elastic;
  return { ...registration, environments: environment === null ? [] : [environment] };
}

function elasticIn({ elastic_agent_id: agentId, elastic_plugin_id: pluginId }: Registration): ElasticIdentity | null {
  return agentId === undefined || pluginId === undefined ? null : { agentId, pluginId };
}
