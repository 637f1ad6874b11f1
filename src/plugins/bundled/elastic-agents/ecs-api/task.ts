// The request for a task of Amazon ECS, and the state of a task in its answers.
import type { AgentOrder, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { truncate } from '../../../../kit/text/truncate.ts';
import { isBlank, readText } from '../../../setting-values.ts';
import { agentLabels, type LabelNames, ownerLabels, readLabels } from '../calls/agent-labels.ts';
import { registrationVariables } from '../calls/agent-variables.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { listIn, type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { AGENT_CONTAINER, isFor } from './task-definition.ts';

const TAGS: LabelNames = {
  server: 'slipway:server',
  cluster: 'slipway:cluster-profile',
  agent: 'slipway:agent',
  jobId: 'slipway:job-id',
  job: 'slipway:job',
  keyHash: 'slipway:key-hash',
  createdAt: 'slipway:created-at',
};

export interface RunTask {
  readonly startedBy: string;
  readonly [member: string]: unknown;
}

const MAX_TAG_LENGTH = 256;
const STARTING: ReadonlySet<string> = new Set(['PROVISIONING', 'PENDING', 'ACTIVATING']);

/**
 * As `RunTask` takes it. Its token makes sure that one agent is one task; the id of the agent as `startedBy` lets it be found. Where
 * it runs is left to the default of the cluster: its instances, or those that a capacity provider adds.
 */
export function runTaskOf(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  taskDefinition: string,
): RunTask {
  const variables = registrationVariables(order, pluginId, readText(cluster, 'GoServerUrl'));
  const labels = { ...ownerLabels(order, TAGS), ...agentLabels(order, TAGS) };
  return {
    cluster: clusterOf(cluster),
    taskDefinition,
    count: 1,
    clientToken: order.agentId,
    startedBy: order.agentId,
    overrides: {
      containerOverrides: [{ name: AGENT_CONTAINER, environment: [...variables].map(([name, value]) => ({ name, value })) }],
    },
    placementConstraints: constraintsOf(profile).map((expression) => ({ type: 'memberOf', expression })),
    tags: Object.entries(labels).map(([key, value]) => ({ key, value: truncate(value, MAX_TAG_LENGTH) })),
  };
}

export function clusterOf(cluster: SettingValues): string {
  return readText(cluster, 'ClusterName').trim();
}

/** On which instances it may run, in the query language of clusters. */
export function constraintsOf(profile: SettingValues): readonly string[] {
  const subnets = readText(profile, 'SubnetIds')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return [
    `attribute:ecs.os-type == ${isFor(profile, 'windows') ? 'windows' : 'linux'}`,
    ...(isBlank(profile, 'AMI') ? [] : [`attribute:ecs.ami-id == ${named('AMI', readText(profile, 'AMI').trim())}`]),
    ...(isBlank(profile, 'InstanceType')
      ? []
      : [`attribute:ecs.instance-type == ${named('InstanceType', readText(profile, 'InstanceType').trim())}`]),
    ...(subnets.length === 0 ? [] : [`attribute:ecs.subnet-id in [${subnets.map((id) => named('SubnetIds', id)).join(', ')}]`]),
  ];
}

/** Anything else would mean something in the expression. */
function named(key: string, text: string): string {
  if (!/^[a-z0-9.-]+$/i.test(text)) throw new ClusterFailure(`${key} of the elastic profile cannot be '${text}'.`);
  return text;
}

/** Undefined: it was not started by Slipway, or its tags were changed. */
export function agentIn(task: Members): ListedAgent | undefined {
  const tags = listIn(task.tags).map(objectIn);
  const labels = readLabels(Object.fromEntries(tags.map(({ key, value }) => [textIn(key) ?? '', value])), TAGS);
  if (!labels) return undefined;
  const status = textIn(task.lastStatus) ?? 'PENDING';
  const isOver = task.desiredStatus === 'STOPPED' || !(STARTING.has(status) || status === 'RUNNING');
  const detail = [status, textIn(task.stoppedReason), ...listIn(task.containers).map(endReason)].filter((one) => one !== undefined);
  return { ...labels, state: isOver ? 'ended' : STARTING.has(status) ? 'starting' : 'running', detail: detail.join(', ') };
}

function endReason(container: unknown): string | undefined {
  const { reason, exitCode } = objectIn(container);
  return textIn(reason) ?? (typeof exitCode === 'number' ? `exit code ${exitCode}` : undefined);
}
