// Agents as a table.
import { type Table, tableText } from '../../output/table.ts';

export interface AgentAnswer {
  readonly uuid: string;
  readonly hostname: string;
  readonly agent_config_state: string;
  readonly agent_state: string;
  readonly build_state: string;
  readonly free_space: number | 'unknown';
  readonly environments: readonly { readonly name: string }[];
  readonly resources?: readonly string[];
  readonly elastic_plugin_id?: string;
  readonly build_details?: { readonly pipeline_name: string; readonly stage_name: string; readonly job_name: string };
}

const HEAD = ['NAME', 'STATE', 'CONFIG', 'RESOURCES', 'ENVIRONMENTS', 'FREE', 'BUILDS', 'UUID'] as const;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

export function agentsTable(agents: readonly AgentAnswer[]): Table {
  return { head: HEAD, rows: agents.map(rowOf) };
}

export function agentsText(agents: readonly AgentAnswer[], columns?: number): string {
  return agents.length === 0 ? 'There are no agents.\n' : tableText(agentsTable(agents), columns);
}

function rowOf(agent: AgentAnswer): readonly string[] {
  const { uuid, hostname, agent_config_state: config, environments, resources, elastic_plugin_id: plugin } = agent;
  return [
    hostname,
    stateOf(agent),
    config,
    plugin === undefined ? listOf(resources ?? []) : `(${plugin})`,
    listOf(environments.map(({ name }) => name)),
    spaceText(agent.free_space),
    buildsText(agent),
    uuid,
  ];
}

/** One that is cancelling is said to be building otherwise. */
function stateOf({ agent_state: state, build_state: build }: AgentAnswer): string {
  return build === 'Cancelled' ? 'Cancelling' : state;
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? '-' : names.join(',');
}

function buildsText({ build_details: details }: AgentAnswer): string {
  return details ? [details.pipeline_name, details.stage_name, details.job_name].join('/') : '-';
}

export function spaceText(bytes: number | 'unknown'): string {
  if (bytes === 'unknown') return '-';
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
