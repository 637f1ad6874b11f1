// An agent, as the server stores it.
import type { AgentConfigState } from '../../contracts/agent-protocol/messages.ts';
import type { AgentRow } from '../../store/rows/builds.ts';

/** The ids that a plugin gave to an agent it made. */
export interface ElasticIdentity {
  readonly agentId: string;
  readonly pluginId: string;
}

export interface Agent {
  readonly uuid: string;
  readonly hostname: string;
  readonly ipAddress: string;
  readonly sandbox: string;
  readonly operatingSystem: string;
  readonly version: string;
  readonly configState: AgentConfigState;
  readonly resources: readonly string[];
  /** The environments it was put into here. Config repos may put it into others: ask the registry for all. */
  readonly ownEnvironments: readonly string[];
  readonly elastic: ElasticIdentity | null;
  readonly tokenHash: string;
  readonly isLocal: boolean;
  readonly registeredAt: number;
}

/** The properties that decide which work an agent gets. */
export interface AgentFacts extends Pick<Agent, 'uuid' | 'hostname' | 'configState' | 'resources' | 'elastic' | 'isLocal'> {
  /** The names of all, from wherever they come. */
  readonly environments: readonly string[];
}

export function agentFrom(row: AgentRow): Agent {
  const { elastic_agent_id: agentId, elastic_plugin_id: pluginId } = row;
  return {
    uuid: row.uuid,
    hostname: row.hostname,
    ipAddress: row.ip_address,
    sandbox: row.sandbox,
    operatingSystem: row.operating_system,
    version: row.version,
    configState: stateFrom(row.config_state),
    resources: JSON.parse(row.resources) as string[],
    ownEnvironments: JSON.parse(row.environments) as string[],
    elastic: agentId === null || pluginId === null ? null : { agentId, pluginId },
    tokenHash: row.token_hash,
    isLocal: row.is_local === 1,
    registeredAt: row.registered_at,
  };
}

/** Its free space changes all the time, and is kept beside it. */
export function rowFrom(agent: Agent, freeSpace: number | null): AgentRow {
  return {
    uuid: agent.uuid,
    hostname: agent.hostname,
    ip_address: agent.ipAddress,
    sandbox: agent.sandbox,
    operating_system: agent.operatingSystem,
    version: agent.version,
    config_state: agent.configState,
    resources: JSON.stringify(agent.resources),
    environments: JSON.stringify(agent.ownEnvironments),
    elastic_agent_id: agent.elastic?.agentId ?? null,
    elastic_plugin_id: agent.elastic?.pluginId ?? null,
    token_hash: agent.tokenHash,
    is_local: agent.isLocal ? 1 : 0,
    registered_at: agent.registeredAt,
    free_space: freeSpace,
  };
}

function stateFrom(text: string): AgentConfigState {
  return text === 'Enabled' || text === 'Disabled' ? text : 'Pending';
}
