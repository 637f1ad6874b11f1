// The plugins that come with the server.
import type { Plugin } from '../contracts/plugins/plugin.ts';
import { dockerRegistryArtifactPlugin } from './bundled/artifact-docker-registry.ts';
import { s3ArtifactPlugin } from './bundled/artifact-s3.ts';
import { jsonConfigRepoPlugin } from './bundled/config-repo-json.ts';
import { yamlConfigRepoPlugin } from './bundled/config-repo-yaml.ts';
import { dockerElasticAgentPlugin } from './bundled/elastic-docker.ts';
import { dockerSwarmElasticAgentPlugin } from './bundled/elastic-docker-swarm.ts';
import { ecsElasticAgentPlugin } from './bundled/elastic-ecs.ts';
import { kubernetesElasticAgentPlugin } from './bundled/elastic-kubernetes.ts';
import { ldap } from './bundled/ldap.ts';
import { debianPackagePlugin } from './bundled/package-debian.ts';
import { httpJsonPackagePlugin } from './bundled/package-http-json.ts';
import { npmPackagePlugin } from './bundled/package-npm.ts';
import { passwordFile } from './bundled/password-file.ts';
import { gitPathPlugin } from './bundled/scm-git-path.ts';
import { fileSecretsPlugin } from './bundled/secrets-file.ts';

export const bundledPlugins: readonly Plugin[] = [
  passwordFile,
  ldap,
  s3ArtifactPlugin,
  dockerRegistryArtifactPlugin,
  dockerElasticAgentPlugin,
  dockerSwarmElasticAgentPlugin,
  ecsElasticAgentPlugin,
  kubernetesElasticAgentPlugin,
  yamlConfigRepoPlugin,
  jsonConfigRepoPlugin,
  debianPackagePlugin,
  npmPackagePlugin,
  httpJsonPackagePlugin,
  gitPathPlugin,
  fileSecretsPlugin,
];
