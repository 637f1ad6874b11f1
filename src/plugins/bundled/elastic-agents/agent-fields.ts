// The settings that agents and clusters of several plugins have.
import type { SettingField } from '../../../contracts/plugins/plugin.ts';

export const AGENT = {
  image: { key: 'Image', title: 'Container image', description: 'With its registry and tag.' },
  command: { key: 'Command', kind: 'multiline', description: 'Runs instead of that of the image: one word to a line.' },
  environment: { key: 'Environment', kind: 'multiline', description: 'Variables as `NAME=value`, one to a line.' },
  mounts: { key: 'Mounts', kind: 'multiline', description: 'Volumes and folders of the host, one to a line.' },
  networks: { key: 'Networks', kind: 'multiline', description: 'Names of networks, one to a line.' },
  hosts: { key: 'Hosts', title: 'Host entries', kind: 'multiline', description: 'As `ADDRESS NAME…`, one to a line.' },
  maxMemory: { key: 'MaxMemory', title: 'Most memory', description: 'Such as `512M` or `2G`.' },
  reservedMemory: { key: 'ReservedMemory', description: 'Such as `512M` or `2G`.' },
  privileged: { key: 'Privileged', kind: 'boolean', defaultValue: 'false', description: 'Whether it may do all on its host.' },
} satisfies Readonly<Record<string, SettingField>>;

/** The certificates by which Docker and its clients know each other. */
export const CERTIFICATE = {
  authority: { key: 'docker_ca_cert', title: 'CA certificate', kind: 'multiline', description: 'In PEM form.' },
  key: { key: 'docker_client_key', secure: true, title: 'Client key', kind: 'multiline', description: 'In PEM form.' },
  client: { key: 'docker_client_cert', title: 'Client certificate', kind: 'multiline', description: 'In PEM form.' },
} satisfies Readonly<Record<string, SettingField>>;

/** Where private images come from. */
export const REGISTRY = {
  isUsed: { key: 'enable_private_registry_authentication', title: 'Use a private registry', kind: 'boolean', defaultValue: 'false' },
  server: { key: 'private_registry_server', title: 'Private registry', description: 'The address of the registry.' },
  username: { key: 'private_registry_username', title: 'User name in the registry' },
  password: { key: 'private_registry_password', secure: true, title: 'Password in the registry' },
} satisfies Readonly<Record<string, SettingField>>;
