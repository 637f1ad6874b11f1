// The settings with which every cluster of Docker begins, be it one host or a swarm.
import type { SettingField } from '../../../contracts/plugins/plugin.ts';
import { GO_SERVER_URL } from './server-url.ts';

export const dockerClusterFields: readonly SettingField[] = [
  { key: GO_SERVER_URL, required: true, label: 'Go Server URL' },
  { key: 'environment_variables' },
  { key: 'max_docker_containers', required: true },
  { key: 'docker_uri', required: true },
  { key: 'auto_register_timeout', required: true },
];
