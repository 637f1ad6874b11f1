// A service of a swarm as Docker is asked for it: plain settings in, the body of the request out.
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../../setting-values.ts';
import { agentLabels, ownerLabels } from '../calls/agent-labels.ts';
import { agentVariables, linesOf } from '../calls/agent-variables.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { readBytes, swarmSizes } from '../sizes.ts';
import { LABELS } from './container.ts';
import { bindOf, hasOptions, mountOf } from './mounts.ts';
import { optionIn, optionsIn } from './options.ts';

/** A secret of the swarm, as a file of the agent. */
export interface SecretFile {
  readonly SecretID: string;
  readonly SecretName: string;
  readonly File: { readonly Name: string; readonly UID: string; readonly GID: string; readonly Mode: number };
}

const READ_ONLY = 0o444;

/** As `POST /services/create` takes it: one task, which is not started again. */
export function serviceOf(
  order: AgentOrder,
  pluginId: string,
  cluster: SettingValues,
  profile: SettingValues,
  secrets: readonly SecretFile[],
): object {
  const added = [...linesOf(cluster, 'environment_variables'), ...linesOf(profile, 'Environment')];
  const variables = agentVariables(order, pluginId, cluster, added);
  const command = linesOf(profile, 'Command');
  const mounts = linesOf(profile, 'Mounts').map((line) => (hasOptions(line) ? mountOf(line) : bindOf(line)));
  const hosts = linesOf(profile, 'Hosts');
  const networks = linesOf(profile, 'Networks').map((Target) => ({ Target }));
  const constraints = linesOf(profile, 'Constraints');
  return {
    Name: order.agentId,
    Labels: { ...ownerLabels(order, LABELS), ...agentLabels(order, LABELS) },
    TaskTemplate: {
      ContainerSpec: {
        Image: readText(profile, 'Image').trim(),
        ...(command.length > 0 && { Args: command }),
        Env: [...variables].map(([name, value]) => `${name}=${value}`),
        ...(mounts.length > 0 && { Mounts: mounts }),
        ...(hosts.length > 0 && { Hosts: hosts }),
        ...(secrets.length > 0 && { Secrets: secrets }),
      },
      Resources: { ...memoryOf('Limits', 'MaxMemory', profile), ...memoryOf('Reservations', 'ReservedMemory', profile) },
      RestartPolicy: { Condition: 'none' },
      ...(constraints.length > 0 && { Placement: { Constraints: constraints } }),
      ...(networks.length > 0 && { Networks: networks }),
      ...(!isBlank(profile, 'LogDriver') && { LogDriver: { Name: readText(profile, 'LogDriver').trim(), Options: optionsOf(profile) } }),
    },
    Mode: { Replicated: { Replicas: 1 } },
  };
}

/** The secret that a line of `Secrets` names: `src=name, target=file, uid=1000, gid=1000, mode=0440`, or the name alone. */
export function wantedSecret(line: string): { readonly name: string; readonly file: SecretFile['File'] } {
  const options = optionsIn(line);
  const name = options.get('src') ?? options.get('source') ?? (line.includes('=') ? '' : line);
  const mode = options.get('mode');
  if (name === '' || (mode !== undefined && !/^0?[0-7]{3}$/.test(mode)))
    throw new ClusterFailure(`The secret '${line}' of the elastic profile cannot be read. Write it as src=name, target=file, mode=0440.`);
  const file = {
    Name: options.get('target') || name,
    UID: options.get('uid') || '0',
    GID: options.get('gid') || '0',
    Mode: mode === undefined ? READ_ONLY : Number.parseInt(mode, 8),
  };
  return { name, file };
}

function memoryOf(member: 'Limits' | 'Reservations', key: string, profile: SettingValues): object {
  const bytes = readBytes(swarmSizes, profile, key);
  return bytes === undefined ? {} : { [member]: { MemoryBytes: bytes } };
}

function optionsOf(profile: SettingValues): Record<string, string> {
  return Object.fromEntries(linesOf(profile, 'LogDriverOptions').map(optionIn));
}
