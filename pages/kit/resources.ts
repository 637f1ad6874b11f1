// The kinds of configuration: their names in the history, and their addresses in the API.
import type { EntityName } from '../api/change-answers.ts';

/** By their names in the history. Kinds that the API shows only as parts of other entities are not among them. */
export const RESOURCES: Readonly<Record<string, string>> = {
  artifact_config: '/api/admin/config/server/artifact_config',
  artifact_retention: '/api/admin/config/artifact_retention',
  artifact_stores: '/api/admin/artifact_stores',
  auth_configs: '/api/admin/security/auth_configs',
  backup: '/api/config/backup',
  cluster_profiles: '/api/admin/elastic/cluster_profiles',
  config_repos: '/api/admin/config_repos',
  default_job_timeout: '/api/admin/config/server/default_job_timeout',
  environments: '/api/admin/environments',
  extensions: '/api/config/backup/extensions',
  mailserver: '/api/config/mailserver',
  packages: '/api/admin/packages',
  pipeline_groups: '/api/admin/pipeline_groups',
  pipelines: '/api/admin/pipelines',
  plugin_settings: '/api/admin/plugin_settings',
  profiles: '/api/elastic/profiles',
  repositories: '/api/admin/repositories',
  roles: '/api/admin/security/roles',
  scms: '/api/admin/scms',
  secret_configs: '/api/admin/secret_configs',
  site_urls: '/api/admin/config/server/site_urls',
  system_admins: '/api/admin/security/system_admins',
  templates: '/api/admin/templates',
  webhooks: '/api/admin/webhooks',
};

/** The address of an entity in the API; undefined: the API shows it only as a part of other entities. */
export function addressOfEntity({ resource, id }: EntityName): string | undefined {
  const address = RESOURCES[resource];
  if (address === undefined) return undefined;
  return id === '' ? address : `${address}/${encodeURIComponent(id)}`;
}
