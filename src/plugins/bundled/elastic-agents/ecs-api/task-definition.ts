// The task definition of an agent, as Amazon ECS is asked for it: plain settings in, the body of the request out.
import { createHash } from 'node:crypto';
import type { AgentOwner } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, isTrue, readText } from '../../../setting-values.ts';
import { linesOf } from '../calls/agent-variables.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { optionIn } from '../docker-engine/options.ts';
import { ecsSizes, readBytes } from '../sizes.ts';

/** The container of the task. */
export const AGENT_CONTAINER = 'agent';
/** The label by which a definition that was registered before is found. */
export const DIGEST_LABEL = 'slipway.definition';

interface Mount {
  readonly name: string;
  readonly source: string;
  readonly target: string;
}

export interface TaskDefinition {
  readonly family: string;
  readonly containerDefinitions: readonly { readonly dockerLabels: Readonly<Record<string, string>> }[];
}

const MEBIBYTE = 1024 ** 2;
const SHORT_HASH = 16;
const DOCKER_SOCKET: Mount = { name: 'DockerSocket', source: '/var/run/docker.sock', target: '/var/run/docker.sock' };

/** One for each server and cluster profile: its tasks are listed by it. */
export function familyOf({ serverId, clusterId }: AgentOwner): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([serverId, clusterId]))
    .digest('hex');
  return `slipway-agents-${hash.slice(0, SHORT_HASH)}`;
}

/** Everything that agents of a profile have in common; the variables for registration are added when one is started. */
export function definitionOf(owner: AgentOwner, cluster: SettingValues, profile: SettingValues): TaskDefinition {
  const isWindows = isFor(profile, 'windows');
  const mounts = isWindows ? [] : [...(isTrue(profile, 'MountDockerSocket') ? [DOCKER_SOCKET] : []), ...bindMounts(profile)];
  const command = linesOf(profile, 'Command');
  const reserved = isWindows ? undefined : mebibytes(profile, 'ReservedMemory');
  const maximum = mebibytes(profile, 'MaxMemory');
  const container = {
    name: AGENT_CONTAINER,
    image: readText(profile, 'Image').trim(),
    essential: true,
    cpu: Math.round(Number(readText(profile, 'CPU').trim() || '0')),
    ...(maximum !== undefined && { memory: maximum }),
    ...(reserved !== undefined && { memoryReservation: reserved }),
    environment: variablesIn(cluster, profile),
    ...(command.length > 0 && { command }),
    ...(!isWindows && isTrue(profile, 'Privileged') && { privileged: true }),
    ...(mounts.length > 0 && { mountPoints: mounts.map(({ name, target }) => ({ sourceVolume: name, containerPath: target })) }),
    ...(!isBlank(cluster, 'LogDriver') && { logConfiguration: loggingOf(cluster) }),
  };
  const definition = {
    family: familyOf(owner),
    ...(!isBlank(profile, 'TaskRoleArn') && { taskRoleArn: readText(profile, 'TaskRoleArn').trim() }),
    ...(mounts.length > 0 && { volumes: mounts.map(({ name, source }) => ({ name, host: { sourcePath: source } })) }),
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([definition, container]))
    .digest('hex');
  return { ...definition, containerDefinitions: [{ ...container, dockerLabels: { [DIGEST_LABEL]: digest } }] };
}

export function digestOf({ containerDefinitions }: TaskDefinition): string {
  return containerDefinitions[0]?.dockerLabels[DIGEST_LABEL] ?? '';
}

export function isFor(profile: SettingValues, platform: 'linux' | 'windows'): boolean {
  return (readText(profile, 'Platform').trim().toLowerCase() || 'linux') === platform;
}

/** Variables of the profile win over those of the cluster. */
function variablesIn(cluster: SettingValues, profile: SettingValues): readonly { readonly name: string; readonly value: string }[] {
  const lines = [...linesOf(cluster, 'EnvironmentVariables'), ...linesOf(profile, 'Environment')];
  return [...new Map(lines.filter((line) => line.includes('=')).map(splitVariable))].map(([name, value]) => ({ name, value }));
}

function splitVariable(line: string): readonly [name: string, value: string] {
  const [name = '', ...value] = line.split('=');
  return [name.trim(), value.join('=')];
}

function mebibytes(profile: SettingValues, key: string): number | undefined {
  const bytes = readBytes(ecsSizes, profile, key);
  return bytes === undefined ? undefined : Math.ceil(bytes / MEBIBYTE);
}

function loggingOf(cluster: SettingValues): object {
  const options = linesOf(cluster, 'LogOptions').map(optionIn);
  return {
    logDriver: readText(cluster, 'LogDriver').trim(),
    ...(options.length > 0 && { options: Object.fromEntries(options) }),
  };
}

function bindMounts(profile: SettingValues): readonly Mount[] {
  if (isBlank(profile, 'BindMount')) return [];
  return mountsIn(readText(profile, 'BindMount')).map((mount) => {
    const [name, source, target] = ['Name', 'SourcePath', 'ContainerPath'].map((key) => mount[key]);
    if (isText(name) && isText(source) && isText(target)) return { name, source, target };
    throw new ClusterFailure('Each BindMount of the elastic profile needs a Name, a SourcePath and a ContainerPath.');
  });
}

function mountsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const read: unknown = JSON.parse(text);
    if (Array.isArray(read)) return read.filter((one) => typeof one === 'object' && one !== null);
  } catch {
    // a configuration edited as a whole file has not passed the check
  }
  throw new ClusterFailure('BindMount of the elastic profile is no list in JSON.');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
