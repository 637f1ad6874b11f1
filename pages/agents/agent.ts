// Agents as the API gives them, and which of them are shown.
import { bytesText } from '../kit/text/bytes.ts';

export const AGENTS_ADDRESS = '/api/agents';
export const AGENTS_VERSION = 7;

export interface Agent {
  readonly uuid: string;
  readonly hostname: string;
  readonly ip_address: string;
  readonly sandbox: string;
  readonly operating_system: string;
  readonly agent_config_state: 'Pending' | 'Enabled' | 'Disabled';
  readonly agent_state: string;
  readonly agent_version: string;
  readonly environments: readonly { readonly name: string; readonly origin: { readonly type: string; readonly id?: string } }[];
  readonly build_state: string;
  readonly free_space: number | 'unknown';
  readonly build_details?: {
    readonly _links: { readonly job: { readonly href: string } };
    readonly pipeline_name: string;
    readonly stage_name: string;
    readonly job_name: string;
  };
  readonly resources?: readonly string[];
  readonly elastic_agent_id?: string;
}

export interface AgentList {
  readonly _embedded: { readonly agents: readonly Agent[] };
}

/** In a word: what the server allows it comes first, then what it does. */
export function stateOf({ agent_config_state: allowed, agent_state: does, build_state: builds }: Agent): string {
  if (allowed === 'Pending') return 'Pending';
  if (allowed === 'Disabled') return builds === 'Building' ? 'Disabled, building' : 'Disabled';
  if (does === 'LostContact') return 'Lost contact';
  if (builds === 'Cancelled') return 'Cancelling';
  return does;
}

/** Those that need somebody come first. */
const ORDER = ['Pending', 'Lost contact', 'Missing', 'Unknown', 'Cancelling', 'Building', 'Disabled, building', 'Idle', 'Disabled'];

export function shownAgents(agents: readonly Agent[], search: string): Agent[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (agent: Agent): number => ORDER.indexOf(stateOf(agent));
  return agents
    .filter((agent) => words.every((word) => textOf(agent).includes(word)))
    .toSorted((one, other) => rank(one) - rank(other) || one.hostname.localeCompare(other.hostname) || (one.uuid < other.uuid ? -1 : 1));
}

function textOf(agent: Agent): string {
  const { hostname, ip_address, sandbox, operating_system, resources = [], environments, build_details } = agent;
  const names = [...resources, ...environments.map(({ name }) => name), build_details?.pipeline_name ?? ''];
  return [hostname, ip_address, sandbox, operating_system, stateOf(agent), ...names].join('\n').toLowerCase();
}

export function spaceText(bytes: number | 'unknown'): string {
  return bytes === 'unknown' ? bytes : bytesText(bytes);
}
