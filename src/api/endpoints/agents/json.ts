// Agents as JSON.

import type { Agent } from '../../../builds/agents/agent.ts';
import type { AgentEnvironment } from '../../../builds/agents/agent-environments.ts';
import type { CurrentJob, HistoryQuery, JobHistory } from '../../../builds/agents/agent-jobs.ts';
import { agentState, buildState, type RuntimeState } from '../../../builds/agents/runtime-state.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';

export const AGENTS_PATH = '/api/agents';

export interface ShownAgent {
  readonly agent: Agent;
  readonly environments: readonly AgentEnvironment[];
  readonly state: RuntimeState;
  readonly freeSpace: number | null;
  /** Undefined: the agent builds nothing, or nothing that the user may see. */
  readonly current: CurrentJob | undefined;
}

export function agentListJson(agents: readonly ShownAgent[], base: string): JsonOut {
  return {
    _links: links(base, { self: AGENTS_PATH, doc: docLink('agents') }),
    _embedded: { agents: agents.map((agent) => agentJson(agent, base)) },
  };
}

export function agentJson(shown: ShownAgent, base: string): JsonOut {
  const addresses = { self: `${AGENTS_PATH}/${shown.agent.uuid}`, doc: docLink('agents'), find: `${AGENTS_PATH}/:uuid` };
  return { _links: links(base, addresses), ...agentData(shown, base) };
}

/** Without links: what was refused has no address. */
export function agentData({ agent, environments, state, freeSpace, current }: ShownAgent, base: string): JsonOut {
  return {
    uuid: agent.uuid,
    hostname: agent.hostname,
    ip_address: agent.ipAddress,
    sandbox: agent.sandbox,
    operating_system: agent.operatingSystem,
    agent_config_state: agent.configState,
    agent_state: agentState(state),
    agent_version: agent.version,
    agent_bootstrapper_version: agent.version,
    environments: environments.map((environment) => environmentJson(environment, base)),
    build_state: buildState(state),
    free_space: freeSpace ?? 'unknown',
    ...(current && { build_details: buildJson(current, base) }),
    ...(agent.elastic
      ? { elastic_agent_id: agent.elastic.agentId, elastic_plugin_id: agent.elastic.pluginId }
      : { resources: [...agent.resources] }),
  };
}

/** `gocd` is the word of GoCD for the server's own configuration. */
function environmentJson({ name, origin }: AgentEnvironment, base: string): JsonOut {
  if (origin === null) return { name, origin: { type: 'gocd' } };
  const path = '/api/admin/config_repos';
  const addresses = { self: `${path}/${encodeURIComponent(origin.repo)}`, doc: docLink('config-repos'), find: `${path}/:id` };
  return { name, origin: { _links: links(base, addresses), type: 'config_repo', id: origin.repo } };
}

function buildJson({ pipeline, pipelineCounter, stage, stageCounter, job }: CurrentJob, base: string): JsonOut {
  const name = encodeURIComponent(pipeline);
  const stageAt = `${name}/${pipelineCounter}/${encodeURIComponent(stage)}/${stageCounter}`;
  return {
    _links: links(base, {
      job: `/tab/build/detail/${stageAt}/${encodeURIComponent(job)}`,
      stage: `/pipelines/${stageAt}`,
      pipeline: `/pipeline/activity/${name}`,
    }),
    pipeline_name: pipeline,
    stage_name: stage,
    job_name: job,
  };
}

export function historyJson(uuid: string, { total, jobs, last }: JobHistory, query: HistoryQuery, base: string): JsonOut {
  const path = `${AGENTS_PATH}/${uuid}/job_run_history`;
  const { offset, pageSize, sortColumn, sortOrder } = query;
  const next = `${path}?after=${last}&page_size=${pageSize}&sort_column=${sortColumn}&sort_order=${sortOrder}`;
  return {
    _links: links(base, {
      self: path,
      doc: docLink('agents'),
      find: `${AGENTS_PATH}/:uuid/job_run_history`,
      ...(last !== undefined && { next }),
    }),
    uuid,
    jobs: jobs.map((job) => ({
      pipeline_name: job.pipeline,
      pipeline_counter: job.pipelineCounter,
      stage_name: job.stage,
      stage_counter: String(job.stageCounter),
      job_name: job.job,
      result: job.result,
      rerun: job.isRerun,
      job_state_transitions: job.transitions.map(({ state, at }) => ({ state, state_change_time: dateOf(at) })),
    })),
    pagination: { page_size: pageSize, offset, total },
  };
}
