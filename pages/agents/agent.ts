// Agents as the API gives them, and which of them are shown.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import { bytesText } from '../kit/text/bytes.ts';

export const AGENTS_ADDRESS = '/api/agents';
export const AGENTS_VERSION = 7;

export type Agent = ListItem<'GET /api/agents', 'agents'>;
export type AgentList = Pick<AnswerOf<'GET /api/agents'>, '_embedded'>;

/** In a word: first whether the server allows the agent, then its activity. */
export function stateOf({ agent_config_state: allowed, agent_state: does, build_state: builds }: Agent): string {
  if (allowed === 'Pending') return 'Pending';
  if (allowed === 'Disabled') return builds === 'Building' ? 'Disabled, building' : 'Disabled';
  if (does === 'LostContact') return 'Lost contact';
  if (builds === 'Cancelled') return 'Cancelling';
  return does;
}

/** Agents that need an administrator come first. */
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
