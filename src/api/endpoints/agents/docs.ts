// The messages and the documentation of the routes of agents.
import type { Agent } from '../../../builds/agents/agent.ts';
import { SORT_COLUMNS, SORT_ORDERS } from '../../../builds/agents/agent-jobs.ts';
import { described, embeddedSchema, FLAG, LINKS, MESSAGE, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { NO_OPERATION, NO_OPERATIONS, NO_UUIDS } from './bodies.ts';
import { agentJson, agentListJson, historyJson, type ShownAgent } from './json.ts';

const EXAMPLE_UUID = '8a1b6f0e-3c57-4d92-9f0a-5b7c2e4d6a18';
export const NOT_REMOVABLE = 'Failed to delete an agent, as it is not in a disabled state or is still building.';
export const NONE_REMOVABLE = 'Could not delete any agents, as one or more agents might not be disabled or are still building.';
export const NOT_CANCELLING = 'The agent is not cancelling a job, so there is nothing to kill.';
export const KILLED = 'The running tasks of the agent will be killed.';

const list = (agents: readonly Agent[]) => agents.map(({ uuid }) => uuid).join(', ');
export const unknownAgent = (uuid: string) => `Agent with uuid '${uuid.slice(0, 100)}' was not found!`;
export const unknownAgents = (uuids: readonly string[]) => `Agents with uuids '${uuids.slice(0, 100).join(', ')}' were not found!`;
export const updated = (uuids: readonly string[]) => `Updated agent(s) with uuid(s): [${uuids.join(', ')}].`;
export const deleted = (count: number) => `Deleted ${count} agent(s).`;
export const pendingAgent = (uuid: string) =>
  `Pending agent [${uuid}] must be explicitly enabled or disabled when performing any operation on it.`;
export const pendingAgents = (agents: readonly Agent[]) =>
  `Pending agents [${list(agents)}] must be explicitly enabled or disabled when performing any operations on them.`;
export const elasticAgents = (agents: readonly Agent[]) => `Resources on elastic agents with uuids [${list(agents)}] can not be updated.`;
export const notUpdated = (problems: readonly Problem[]) =>
  `Updating agent failed. ${[...new Set(problems.map(({ message }) => message))].join(' ')}`;

const EXAMPLE: ShownAgent = {
  agent: {
    uuid: EXAMPLE_UUID,
    hostname: 'agent-01.example.com',
    ipAddress: '192.0.2.41',
    sandbox: '/var/lib/slipway/agent',
    operatingSystem: 'Linux',
    version: '1.0.0',
    configState: 'Enabled',
    resources: ['linux', 'java'],
    ownEnvironments: ['staging'],
    elastic: null,
    tokenHash: '',
    isLocal: false,
    registeredAt: 0,
  },
  environments: [{ name: 'staging', origin: null }],
  state: 'Building',
  freeSpace: 84_983_328_768,
  current: { pipeline: 'web', pipelineCounter: 12, stage: 'test', stageCounter: 1, job: 'unit', isCancelling: false },
};
const CHANGED: ShownAgent = { ...EXAMPLE, state: 'Idle', current: undefined };

const STATE = { enum: ['Enabled', 'Disabled'], description: 'Whether it may get work; null or absent: unchanged.' };
const NAMES = { anyOf: [TEXTS, TEXT] };
const ORIGIN = {
  type: 'object',
  description: 'Who put it into the environment.',
  properties: {
    _links: LINKS,
    type: { enum: ['gocd', 'config_repo'], description: '`gocd`: an administrator, or the agent itself when it registered.' },
    id: described(TEXT, 'The config repo; absent if it was not a config repo.'),
  },
};
const AGENT = objectSchema(
  {
    _links: LINKS,
    uuid: described(TEXT, 'Identifies it in addresses.'),
    hostname: described(TEXT, 'Its name.'),
    ip_address: described(TEXT, 'The address from which it registered.'),
    sandbox: described(TEXT, 'Its working directory.'),
    operating_system: described(TEXT, 'Its operating system.'),
    agent_config_state: {
      enum: ['Pending', 'Enabled', 'Disabled'],
      description: 'Whether it may get work. `Pending`: an administrator has to decide.',
    },
    agent_state: {
      enum: ['Idle', 'Building', 'LostContact', 'Missing', 'Unknown'],
      description:
        '`LostContact`: it has not been heard of for five minutes; `Missing`: it has not been heard of since the server started.',
    },
    agent_version: described(TEXT, 'The release of the agent.'),
    agent_bootstrapper_version: described(TEXT, 'The same: an agent is one program.'),
    environments: {
      type: 'array',
      items: objectSchema({ name: described(TEXT, 'The name of the environment.'), origin: ORIGIN }, { title: 'Environment of an agent' }),
      description: 'It gets only jobs of these environments; without any, only jobs that belong to no environment.',
    },
    build_state: { enum: ['Idle', 'Building', 'Cancelled', 'Unknown'], description: '`Cancelled`: it is ending a job that was cancelled.' },
    free_space: { anyOf: [{ type: 'integer' }, { const: 'unknown' }], description: 'Free space in its working directory, in bytes.' },
  },
  {
    title: 'Agent',
    others: {
      build_details: described(
        objectSchema({
          _links: LINKS,
          pipeline_name: described(TEXT, 'The pipeline.'),
          stage_name: described(TEXT, 'The stage.'),
          job_name: described(TEXT, 'The job.'),
        }),
        'The job it is building, for users who may see the pipeline.',
      ),
      resources: described(TEXTS, 'The resources that jobs may ask for; absent for elastic agents.'),
      elastic_agent_id: described(TEXT, 'Only for elastic agents: the id that the plugin gave it.'),
      elastic_plugin_id: described(TEXT, 'Only for elastic agents: the plugin.'),
    },
  },
);

const operationOn = (what: string) => ({
  type: 'object',
  description: what,
  properties: { add: described(NAMES, 'Names to add.'), remove: described(NAMES, 'Names to remove.') },
});
const UUIDS = described(TEXTS, 'The uuids of agents.');
const bodies = {
  change: {
    schema: {
      type: 'object',
      properties: {
        hostname: described(TEXT, 'Its new name, until it registers again.'),
        resources: described(NAMES, 'All its resources, as a list or as text with commas.'),
        environments: described(NAMES, 'All its environments except those assigned by config repos, as a list or as text with commas.'),
        agent_config_state: STATE,
      },
    },
    example: { hostname: 'agent-01.example.com', resources: ['linux', 'java'], environments: ['staging'], agent_config_state: 'Enabled' },
  },
  changeAll: {
    schema: objectSchema(
      { uuids: UUIDS },
      {
        others: {
          operations: {
            type: 'object',
            description: 'What to add and what to remove.',
            properties: { environments: operationOn('Environments.'), resources: operationOn('Resources.') },
          },
          agent_config_state: STATE,
        },
      },
    ),
    example: {
      uuids: [EXAMPLE_UUID],
      operations: { environments: { add: [], remove: ['production'] }, resources: { add: ['docker'], remove: [] } },
      agent_config_state: 'Enabled',
    },
  },
  removeAll: { schema: objectSchema({ uuids: UUIDS }), example: { uuids: [EXAMPLE_UUID] } },
};

const JOB = objectSchema(
  {
    pipeline_name: described(TEXT, 'The pipeline.'),
    pipeline_counter: { type: 'integer', description: 'The counter of its run.' },
    stage_name: described(TEXT, 'The stage.'),
    stage_counter: described(TEXT, 'The counter of its run.'),
    job_name: described(TEXT, 'The job.'),
    result: described(TEXT, 'How it ended.'),
    rerun: described(FLAG, 'Whether it was run again.'),
    job_state_transitions: {
      type: 'array',
      items: objectSchema(
        { state: described(TEXT, 'The state.'), state_change_time: described(TIME, 'Since when.') },
        { title: 'State of a job' },
      ),
      description: 'Its states, in order.',
    },
  },
  { title: 'Job of an agent' },
);
const NUMBER = { type: 'integer' };
const PAST = {
  total: 1,
  jobs: [
    {
      pipeline: 'web',
      pipelineCounter: 12,
      stage: 'test',
      stageCounter: 1,
      job: 'unit',
      result: 'Passed',
      isRerun: false,
      transitions: [{ state: 'Completed', at: Date.parse(EXAMPLE_TIME) }],
    },
  ],
};

const parameters = { uuid: { description: 'The uuid of the agent.', example: EXAMPLE_UUID } };
const failures = { 404: { example: { message: unknownAgent('unknown') } } };
const shown = { response: AGENT, hasEtag: true };
const ETAG = 'The ETag stays the same while only the free space changes.';

export const DESCRIPTIONS = {
  list: {
    summary: 'List of agents',
    details: ETAG,
    response: embeddedSchema('agents', AGENT),
    example: agentListJson([EXAMPLE], EXAMPLE_BASE),
    hasEtag: true,
  },
  show: { ...shown, example: agentJson(EXAMPLE, EXAMPLE_BASE), summary: 'Show an agent', details: ETAG, parameters, failures },
  change: {
    ...shown,
    example: agentJson(CHANGED, EXAMPLE_BASE),
    summary: 'Change an agent, enable or disable it',
    details: 'Fields that are absent or null stay as they are. The agent is notified at once.',
    parameters,
    request: bodies.change,
    ifMatch: 'optional',
    failures: {
      ...failures,
      400: { when: 'The body is not JSON, or does not ask for any change.', example: { message: NO_OPERATION } },
      412: STALE_RECORD,
    },
  },
  changeAll: {
    summary: 'Change many agents, all or none',
    request: bodies.changeAll,
    response: MESSAGE,
    example: { message: updated([EXAMPLE_UUID]) },
    failures: {
      400: { when: 'The body is not JSON, names no agents, or does not ask for any change.', example: { message: NO_OPERATIONS } },
      404: { when: 'Some of them do not exist.', example: { message: unknownAgents(['unknown']) } },
    },
  },
  remove: {
    summary: 'Delete a disabled agent',
    parameters,
    response: MESSAGE,
    example: { message: deleted(1) },
    ifMatch: 'optional',
    failures: {
      ...failures,
      412: STALE_RECORD,
      422: { when: 'It is not disabled, or it is building.', example: { message: NOT_REMOVABLE } },
    },
  },
  removeAll: {
    summary: 'Delete disabled agents, all or none',
    request: bodies.removeAll,
    response: MESSAGE,
    example: { message: deleted(1) },
    failures: {
      400: { when: 'The body is not JSON, or names no agents.', example: { message: NO_UUIDS } },
      404: { when: 'Some of them do not exist.', example: { message: unknownAgents(['unknown']) } },
      422: { when: 'One of them is not disabled, or is building.', example: { message: NONE_REMOVABLE } },
    },
  },
  kill: {
    summary: 'End all processes of a job that is being cancelled',
    details: 'Also those of `on_cancel`, if they do not end by themselves.',
    parameters,
    headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed, because there is no body; `true`.' } },
    response: MESSAGE,
    status: 202,
    example: { message: KILLED },
    failures: { ...failures, 409: { when: 'It is not cancelling a job.', example: { message: NOT_CANCELLING } } },
  },
  history: {
    summary: 'The jobs that an agent has completed',
    details:
      'An access token with scopes needs `pipelines:view:*`, too. ' +
      'Where two jobs have the same value, the one that was scheduled later comes first, or last where `sort_order` is `asc`. ' +
      '`_links.next` leads to the following page by the last job of this one: no job is missed or shown twice, even when further jobs are completed meanwhile.',
    parameters,
    query: {
      offset: { ...NUMBER, minimum: 0, default: 0, description: 'How many are left out at the beginning.' },
      after: { ...NUMBER, minimum: 1, description: 'The id of a job, from `_links.next`: those after it are shown.' },
      page_size: { ...NUMBER, minimum: 10, maximum: 100, default: 50, description: 'How many are shown.' },
      sort_column: { enum: SORT_COLUMNS, default: 'completed', description: 'What they are sorted by.' },
      sort_order: { enum: SORT_ORDERS, default: 'desc', description: 'In which direction.' },
    },
    response: objectSchema({
      _links: LINKS,
      uuid: described(TEXT, 'The uuid of the agent.'),
      jobs: { type: 'array', items: JOB, description: 'The jobs of this page.' },
      pagination: described(
        objectSchema({
          page_size: described(NUMBER, 'How many are shown.'),
          offset: described(NUMBER, 'How many were left out.'),
          total: described(NUMBER, 'How many there are.'),
        }),
        'Which of them are shown.',
      ),
    }),
    example: historyJson(EXAMPLE_UUID, PAST, { offset: 0, pageSize: 50, sortColumn: 'completed', sortOrder: 'desc' }, EXAMPLE_BASE),
    failures: { ...failures, 400: { when: 'A query parameter has a value that is not allowed.' } },
  },
} satisfies Readonly<Record<string, Omit<RouteDescription, 'chapter'>>>;
