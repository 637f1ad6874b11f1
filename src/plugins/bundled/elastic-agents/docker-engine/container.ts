// A container as Docker is asked for it: plain settings in, the body of the request out.
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, isTrue, readText } from '../../../setting-values.ts';
import { agentLabels, type LabelNames, ownerLabels } from '../calls/agent-labels.ts';
import { agentVariables, linesOf } from '../calls/agent-variables.ts';
import { dockerSizes, readBytes } from '../sizes.ts';
import { hasOptions, type Mount, mountOf } from './mounts.ts';

export const LABELS: LabelNames = {
  server: 'slipway.server',
  cluster: 'slipway.cluster-profile',
  agent: 'slipway.agent',
  jobId: 'slipway.job-id',
  job: 'slipway.job',
  keyHash: 'slipway.key-hash',
  createdAt: 'slipway.created-at',
};

const NANO = 1e9;

/** As `POST /containers/create` takes it. */
export interface Container {
  readonly Image: string;
  readonly Cmd?: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly HostConfig: {
    readonly Binds?: readonly string[];
    readonly Mounts?: readonly Mount[];
    readonly Memory?: number;
    readonly MemoryReservation?: number;
    readonly NanoCpus?: number;
    readonly ExtraHosts?: readonly string[];
    readonly NetworkMode?: string;
    readonly Privileged: boolean;
  };
}

/** Further networks are joined after the container is made. */
export function containerOf(order: AgentOrder, pluginId: string, cluster: SettingValues, profile: SettingValues): Container {
  const added = [...linesOf(cluster, 'environment_variables'), ...linesOf(profile, 'Environment')];
  const variables = agentVariables(order, pluginId, cluster, added);
  const command = linesOf(profile, 'Command');
  const [network] = networksOf(profile);
  const memory = readBytes(dockerSizes, profile, 'MaxMemory');
  const reserved = readBytes(dockerSizes, profile, 'ReservedMemory');
  const mounts = linesOf(profile, 'Mounts');
  const [binds, others] = [mounts.filter((line) => !hasOptions(line)), mounts.filter(hasOptions)];
  const hosts = hostsOf(profile);
  return {
    Image: readText(profile, 'Image').trim(),
    ...(command.length > 0 && { Cmd: command }),
    Env: [...variables].map(([name, value]) => `${name}=${value}`),
    Labels: { ...ownerLabels(order, LABELS), ...agentLabels(order, LABELS) },
    HostConfig: {
      ...(binds.length > 0 && { Binds: binds }),
      ...(others.length > 0 && { Mounts: others.map(mountOf) }),
      ...(memory !== undefined && { Memory: Math.round(memory) }),
      ...(reserved !== undefined && { MemoryReservation: Math.round(reserved) }),
      ...(!isBlank(profile, 'Cpus') && { NanoCpus: Math.round(Number(readText(profile, 'Cpus')) * NANO) }),
      ...(hosts.length > 0 && { ExtraHosts: hosts }),
      ...(network !== undefined && { NetworkMode: network }),
      Privileged: isTrue(profile, 'Privileged'),
    },
  };
}

export function networksOf(profile: SettingValues): readonly string[] {
  return linesOf(profile, 'Networks');
}

/** Docker wants one entry for each name. */
function hostsOf(profile: SettingValues): string[] {
  return linesOf(profile, 'Hosts').flatMap((line) => {
    const [address = '', ...names] = line.split(/\s+/);
    return names.map((name) => `${name}:${address}`);
  });
}
