// Agents as tasks of an Amazon ECS cluster.
import type { AgentOrder, AgentOwner, ClusterTools, ListedAgent } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { chunksOf } from '../../../../kit/chunks.ts';
import { truncate } from '../../../../kit/text/truncate.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { listIn, type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { taskPageIn } from './ecs-answers.ts';
import { EcsRefusal, ecsCall } from './ecs-call.ts';
import { OverTasks } from './over-tasks.ts';
import { agentIn, clusterOf, type RunTask, runTaskOf } from './task.ts';
import { DIGEST_LABEL, definitionOf, digestOf, familyOf, type TaskDefinition } from './task-definition.ts';

/** Maximum number of tasks that the service lists, or describes, at a time. */
const PAGE = 100;
const MAX_PAGES = 50;
const MAX_DEFINITIONS = 100;
const MAX_REASON_LENGTH = 300;
const REASON = 'Its job is over, or was given to another agent.';

/** The ARNs of task definitions, by the digest of their content. */
const definitions = new Map<string, string>();
const over = new OverTasks();

export async function createAgent(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  tools: ClusterTools,
): Promise<void> {
  const definition = definitionOf(order, cluster, profile);
  const key = `${clusterOf(cluster)} ${digestOf(definition)}`;
  const arn = definitions.get(key) ?? (await registered(definition, cluster, tools));
  if (definitions.size >= MAX_DEFINITIONS) definitions.clear();
  definitions.set(key, arn);
  try {
    await run(runTaskOf(order, pluginId, cluster, profile, arn), cluster, tools);
  } catch (failure) {
    definitions.delete(key); // the definition may have been deleted in AWS
    throw failure;
  }
}

async function run(task: RunTask, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const { startedBy } = task;
  try {
    const [failure] = listIn((await ecsCall('RunTask', task, cluster, tools)).failures);
    if (failure !== undefined) throw new ClusterFailure(`Amazon ECS started no task: ${failureText(failure)}`);
  } catch (failure) {
    if (!(failure instanceof EcsRefusal && failure.kind === 'ConflictException')) throw failure;
    // This attempt has started a task already. Unless that task has ended, it is the agent.
    if ((await taskArns({ startedBy }, cluster, tools)).length === 0)
      throw new ClusterFailure(`The task of the agent ${startedBy} was started before, and has ended.`);
  }
}

function failureText(failure: unknown): string {
  const { reason, detail } = objectIn(failure);
  const text = [textIn(reason) ?? 'it does not say why', textIn(detail)].filter((one) => one !== undefined).join(', ');
  const hint = /^RESOURCE|^No Container Instances/i.test(text)
    ? ' No instance of the cluster has room for it; a capacity provider of the cluster can add some.'
    : '';
  return `${truncate(text, MAX_REASON_LENGTH)}.${hint}`;
}

/** The newest one if it is the same, or else a new one. */
async function registered(definition: TaskDefinition, cluster: SettingValues, tools: ClusterTools): Promise<string> {
  const newest = await newestDefinition(definition.family, cluster, tools);
  const known = textIn(newest.taskDefinitionArn);
  const labels = objectIn(objectIn(listIn(newest.containerDefinitions)[0]).dockerLabels);
  if (known !== undefined && labels[DIGEST_LABEL] === digestOf(definition)) return known;
  const { taskDefinition } = await ecsCall('RegisterTaskDefinition', definition, cluster, tools);
  const arn = textIn(objectIn(taskDefinition).taskDefinitionArn);
  if (arn === undefined) throw new ClusterFailure('Amazon ECS registered no task definition.');
  return arn;
}

/** The newest definition of the family; without members if there is none yet. */
async function newestDefinition(family: string, cluster: SettingValues, tools: ClusterTools): Promise<Members> {
  try {
    return objectIn((await ecsCall('DescribeTaskDefinition', { taskDefinition: family }, cluster, tools)).taskDefinition);
  } catch (failure) {
    if (failure instanceof EcsRefusal && failure.kind === 'ClientException') return {};
    throw failure;
  }
}

export async function listAgents(owner: AgentOwner, cluster: SettingValues, tools: ClusterTools): Promise<readonly ListedAgent[]> {
  const family = familyOf(owner);
  const listed: string[] = [];
  for (const desiredStatus of ['RUNNING', 'STOPPED']) listed.push(...(await taskArns({ family, desiredStatus }, cluster, tools)));
  const arns = [...new Set(listed)].filter((arn) => !over.has(arn));
  const agents: ListedAgent[] = [];
  for (const some of chunksOf(arns, PAGE)) {
    for (const task of await described(some, cluster, tools)) {
      const agent = agentIn(task);
      if (agent && !over.isOver(task, agent)) agents.push(agent);
    }
  }
  return agents;
}

/** A task that has ended cannot be removed: the service shows it for about an hour. Here it is not shown again. */
export async function removeAgent(agentId: string, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  for (const task of await taskArns({ startedBy: agentId }, cluster, tools)) {
    try {
      await ecsCall('StopTask', { cluster: clusterOf(cluster), task, reason: REASON }, cluster, tools);
    } catch (failure) {
      if (!(failure instanceof EcsRefusal && failure.kind === 'InvalidParameterException')) throw failure; // it is gone
    }
  }
  over.removed(agentId);
}

interface TaskFilter {
  readonly family?: string;
  readonly desiredStatus?: string;
  /** Goes with no other. */
  readonly startedBy?: string;
}

async function taskArns(filter: TaskFilter, cluster: SettingValues, tools: ClusterTools): Promise<readonly string[]> {
  const found: string[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const request = { cluster: clusterOf(cluster), ...filter, maxResults: PAGE, ...(nextToken && { nextToken }) };
    const answer = await ecsCall('ListTasks', request, cluster, tools);
    const listed = taskPageIn(answer, PAGE);
    found.push(...listed.arns);
    nextToken = listed.nextToken;
    if (nextToken === undefined) break;
  }
  return found;
}

async function described(tasks: readonly string[], cluster: SettingValues, tools: ClusterTools): Promise<readonly Members[]> {
  const request = { cluster: clusterOf(cluster), tasks, include: ['TAGS'] };
  return listIn((await ecsCall('DescribeTasks', request, cluster, tools)).tasks)
    .slice(0, tasks.length)
    .map(objectIn);
}
