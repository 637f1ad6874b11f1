// The settings with which every cluster of Docker begins, be it one host or a swarm.
import type { ClusterLimits } from '../../../contracts/plugins/elastic-agent.ts';
import type { SettingField, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { readCount, readRegisterTime } from './calls/limits.ts';
import { GO_SERVER_URL, SERVER_URL_ABOUT } from './server-url.ts';

export const dockerClusterFields: readonly SettingField[] = [
  { key: GO_SERVER_URL, required: true, label: 'Go Server URL', title: 'Server URL', description: SERVER_URL_ABOUT },
  { key: 'environment_variables', kind: 'multiline', description: 'For all agents, as `NAME=value`, one to a line.' },
  { key: 'max_docker_containers', required: true, title: 'Most containers', kind: 'number' },
  { key: 'docker_uri', required: true, description: 'Where Docker answers, such as `unix:///var/run/docker.sock`.' },
  { key: 'auto_register_timeout', required: true, kind: 'number', description: 'Minutes an agent has to register itself.' },
];

export function dockerLimits(cluster: SettingValues): ClusterLimits {
  const maxAgents = readCount(cluster, 'max_docker_containers');
  return { ...(maxAgents !== undefined && { maxAgents }), registerWithinMs: readRegisterTime(cluster) };
}
