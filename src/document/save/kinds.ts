// The kinds of configuration in the document, those first that others look at while they are read.
import type { KindName } from '../../shape/configuration.ts';

/** A setting is secret when the plugin says so, and some name their plugin through another entity; the secrets of clusters are looked up. */
export const KINDS_IN_ORDER: readonly KindName[] = [
  'serverIdentity',
  'jobTimeout',
  'siteUrls',
  'mailServer',
  'backupConfig',
  'artifactsConfig',
  'authConfigs',
  'roles',
  'systemAdmins',
  'secretConfigs',
  'clusterProfiles',
  'elasticProfiles',
  'packageRepositories',
  'packages',
  'scms',
  'configRepos',
  'artifactStores',
  'pipelineGroups',
  'templates',
  'templateAuthorizations',
  'pipelines',
  'environments',
];

/** Absent entities of these kinds are removed first: the entities that they define go with them, and the file may contain those itself. */
export const REMOVED_FIRST: ReadonlySet<KindName> = new Set(['configRepos']);
