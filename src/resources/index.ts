// The registry: every kind of configuration this server keeps.
import type { EntityIn, Registry } from '../shape/resource.ts';
import { artifactStores } from './artifact-stores.ts';
import { authConfigs } from './auth-configs.ts';
import { clusterProfiles } from './cluster-profiles.ts';
import { configRepos } from './config-repos.ts';
import { elasticProfiles } from './elastic-profiles.ts';
import { type EnvironmentPartEntity, environmentParts } from './environment-parts.ts';
import { environments } from './environments.ts';
import { packageRepositories } from './package-repositories.ts';
import { packages } from './packages.ts';
import { pipelineGroups } from './pipeline-groups.ts';
import type { Pipeline } from './pipelines/pipeline-fields.ts';
import { pipelines } from './pipelines/pipelines.ts';
import { templateAuthorizations } from './pipelines/template-authorizations.ts';
import { templates } from './pipelines/templates.ts';
import { pluginSettings } from './plugin-settings.ts';
import { publishedRevisions } from './published-revisions.ts';
import { roles } from './roles.ts';
import { scms } from './scms.ts';
import { secretConfigs } from './secret-configs.ts';
import { artifactRetention } from './server/artifact-retention.ts';
import { artifactsConfig } from './server/artifacts-config.ts';
import { backupConfig } from './server/backup-config.ts';
import { backupExtensions } from './server/backup-extensions.ts';
import { jobTimeout } from './server/job-timeout.ts';
import { mailServer } from './server/mail-server.ts';
import { outgoingWebhooks } from './server/outgoing-webhooks.ts';
import { serverIdentity } from './server/server-identity.ts';
import { siteUrls } from './server/site-urls.ts';
import { systemAdmins } from './server/system-admins.ts';

export const registry = {
  artifactRetention,
  artifactStores,
  artifactsConfig,
  authConfigs,
  backupConfig,
  backupExtensions,
  clusterProfiles,
  configRepos,
  elasticProfiles,
  environmentParts,
  environments,
  jobTimeout,
  mailServer,
  packageRepositories,
  packages,
  pipelineGroups,
  pipelines,
  pluginSettings,
  publishedRevisions,
  roles,
  scms,
  secretConfigs,
  serverIdentity,
  siteUrls,
  systemAdmins,
  templateAuthorizations,
  templates,
  outgoingWebhooks,
} satisfies Registry;

declare module '../shape/configuration.ts' {
  interface ConfigurationKinds {
    artifactRetention: EntityIn<typeof artifactRetention>;
    artifactStores: EntityIn<typeof artifactStores>;
    artifactsConfig: EntityIn<typeof artifactsConfig>;
    authConfigs: EntityIn<typeof authConfigs>;
    backupConfig: EntityIn<typeof backupConfig>;
    backupExtensions: EntityIn<typeof backupExtensions>;
    clusterProfiles: EntityIn<typeof clusterProfiles>;
    configRepos: EntityIn<typeof configRepos>;
    elasticProfiles: EntityIn<typeof elasticProfiles>;
    environmentParts: EnvironmentPartEntity;
    environments: EntityIn<typeof environments>;
    jobTimeout: EntityIn<typeof jobTimeout>;
    mailServer: EntityIn<typeof mailServer>;
    packageRepositories: EntityIn<typeof packageRepositories>;
    packages: EntityIn<typeof packages>;
    pipelineGroups: EntityIn<typeof pipelineGroups>;
    pipelines: Pipeline;
    pluginSettings: EntityIn<typeof pluginSettings>;
    publishedRevisions: EntityIn<typeof publishedRevisions>;
    roles: EntityIn<typeof roles>;
    scms: EntityIn<typeof scms>;
    secretConfigs: EntityIn<typeof secretConfigs>;
    serverIdentity: EntityIn<typeof serverIdentity>;
    siteUrls: EntityIn<typeof siteUrls>;
    systemAdmins: EntityIn<typeof systemAdmins>;
    templateAuthorizations: EntityIn<typeof templateAuthorizations>;
    templates: EntityIn<typeof templates>;
    outgoingWebhooks: EntityIn<typeof outgoingWebhooks>;
  }
}
