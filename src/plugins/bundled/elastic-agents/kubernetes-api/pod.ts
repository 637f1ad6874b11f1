// A pod as Kubernetes is asked for it: plain settings in, the body of the request out.
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readPlainYaml } from '../../../../kit/tree/yaml.ts';
import { isBlank, isTrue, readText } from '../../../setting-values.ts';
import { agentLabels, type LabelNames, ownerLabels } from '../calls/agent-labels.ts';
import { agentVariables, linesOf } from '../calls/agent-variables.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { kubernetesSizes, readBytes } from '../sizes.ts';

/** The names of the server and the cluster profile are labels, by which pods are found; the others are annotations, which may be longer. */
export const METADATA: LabelNames = {
  server: 'slipway/server',
  cluster: 'slipway/cluster-profile',
  agent: 'slipway/agent',
  jobId: 'slipway/job-id',
  job: 'slipway/job',
  keyHash: 'slipway/key-hash',
  createdAt: 'slipway/created-at',
};

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Container {
  readonly env?: readonly Variable[];
  readonly [member: string]: unknown;
}

/** The members of a pod that are used here; all other members of the profile stay. */
export interface Pod {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[]; readonly restartPolicy?: string };
}

export function podOf(order: AgentOrder, pluginId: string, cluster: SettingValues, profile: SettingValues): Pod {
  const described = describedPod(profile);
  const [first, ...others] = described.spec.containers;
  const variables = agentVariables(order, pluginId, cluster, linesOf(profile, 'Environment'));
  const kept = (first?.env ?? []).filter(({ name }) => !variables.has(name));
  const env = [...kept, ...[...variables].map(([name, value]) => ({ name, value }))];
  return {
    ...described,
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...described.metadata,
      ...{ name: order.agentId },
      labels: { ...described.metadata?.labels, ...ownerLabels(order, METADATA) },
      annotations: { ...described.metadata?.annotations, ...agentLabels(order, METADATA) },
    },
    // An agent that was started again would find its key used.
    spec: { ...described.spec, restartPolicy: 'Never', containers: [{ ...first, env }, ...others] },
  };
}

function describedPod(profile: SettingValues): Pod {
  const type = readText(profile, 'PodSpecType').trim() || (isTrue(profile, 'SpecifiedUsingPodConfiguration') ? 'yaml' : 'properties');
  if (type === 'yaml') return writtenPod(readText(profile, 'PodConfiguration'));
  if (type === 'properties') return pod(profile);
  throw new ClusterFailure(
    'This server does not read pods from a remote file. Put the description into PodConfiguration of the elastic profile, and set PodSpecType to yaml.',
  );
}

function pod(profile: SettingValues): Pod {
  const memory = readBytes(kubernetesSizes, profile, 'MaxMemory');
  const cpu = isBlank(profile, 'MaxCPU') ? undefined : readText(profile, 'MaxCPU').trim();
  const limits = { ...(memory !== undefined && { memory: String(memory) }), ...(cpu !== undefined && { cpu }) };
  const container = {
    name: 'agent',
    image: readText(profile, 'Image').trim(),
    ...(Object.keys(limits).length > 0 && { resources: { limits } }),
    securityContext: { privileged: isTrue(profile, 'Privileged') },
  };
  return { spec: { containers: [container] } };
}

function writtenPod(text: string): Pod {
  const written = readPlainYaml(text);
  if ('problem' in written) throw new ClusterFailure(`PodConfiguration of the elastic profile is no YAML: ${written.problem}`);
  if (!isPod(written.value))
    throw new ClusterFailure('PodConfiguration of the elastic profile must describe a pod: `spec` with a list of `containers`.');
  return written.value;
}

function isPod(value: unknown): value is Pod {
  if (!isMapping(value) || !isMapping(value.spec)) return false;
  const { containers } = value.spec;
  const hasContainers = Array.isArray(containers) && containers.length > 0 && containers.every(isContainer);
  return hasContainers && (value.metadata === undefined || value.metadata === null || isMapping(value.metadata));
}

function isContainer(value: unknown): boolean {
  return isMapping(value) && (value.env === undefined || (Array.isArray(value.env) && value.env.every(isMapping)));
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
