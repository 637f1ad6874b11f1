// The kinds of configuration in the document, those first that others look at while they are read.

/** A setting is secret when the plugin says so, and some name their plugin through another entity; the secrets of clusters are looked up. */
export const KINDS_IN_ORDER: readonly string[] = [
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

/** What is absent of these goes before anything else is looked at: what belongs to it goes along, and may be wanted for itself. */
export const REMOVED_FIRST: ReadonlySet<string> = new Set(['configRepos']);
