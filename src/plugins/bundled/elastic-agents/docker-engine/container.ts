// A container as Docker is asked for it: plain settings in, the body of the request out.
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, isTrue, readText } from '../../../setting-values.ts';
import { agentMarks, type MarkNames, ownerMarks } from '../calls/agent-marks.ts';
import { agentVariables, linesOf } from '../calls/agent-variables.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { dockerSizes, readBytes } from '../sizes.ts';

export const LABELS: MarkNames = {
  server: 'slipway.server',
  cluster: 'slipway.cluster-profile',
  agent: 'slipway.agent',
  jobId: 'slipway.job-id',
  job: 'slipway.job',
  keyHash: 'slipway.key-hash',
  createdAt: 'slipway.created-at',
};

const NANO = 1e9;

interface Mount {
  readonly Type: 'bind' | 'volume' | 'tmpfs';
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

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
    Labels: { ...ownerMarks(order, LABELS), ...agentMarks(order, LABELS) },
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

/** The other form is `SOURCE:TARGET`, with `:ro` behind it. */
function hasOptions(line: string): boolean {
  return /(?:^|,)\s*(?:target|destination|dst)\s*=/.test(line);
}

/** As `docker run --mount` takes it: `type=volume,source=cache,target=/cache,readonly`. */
function mountOf(line: string): Mount {
  const options = new Map(
    line.split(',').map((part) => {
      const [name = '', ...value] = part.trim().split('=');
      return [name.trim(), value.join('=').trim()] as const;
    }),
  );
  const first = (...names: string[]) => names.map((name) => options.get(name)).find((value) => value !== undefined);
  const [source, target] = [first('source', 'src'), first('target', 'destination', 'dst')];
  const type = first('type') ?? (source?.startsWith('/') ? 'bind' : 'volume');
  const readOnly = first('readonly', 'ro');
  if (!target || (type !== 'bind' && type !== 'volume' && type !== 'tmpfs'))
    throw new ClusterFailure(
      `The mount '${line}' of the elastic profile cannot be read. Write it as source=/host,target=/inside,readonly.`,
    );
  return { Type: type, ...(source && { Source: source }), Target: target, ReadOnly: readOnly !== undefined && readOnly !== 'false' };
}

/** Docker wants one entry for each name. */
function hostsOf(profile: SettingValues): string[] {
  return linesOf(profile, 'Hosts').flatMap((line) => {
    const [address = '', ...names] = line.split(/\s+/);
    return names.map((name) => `${name}:${address}`);
  });
}
