// The plugins that come with the server.
import type { AnyPlugin } from '../contracts/plugins/any-plugin.ts';
import { dockerRegistryArtifactPlugin } from './bundled/artifacts/docker-registry.ts';
import { s3ArtifactPlugin } from './bundled/artifacts/s3.ts';
import { ldap } from './bundled/authorization/ldap/authentication.ts';
import { ldapAuthorization } from './bundled/authorization/ldap/authorization.ts';
import { passwordFile } from './bundled/authorization/password-file.ts';
import { github } from './bundled/authorization/web/github.ts';
import { gitlab } from './bundled/authorization/web/gitlab.ts';
import { oidc } from './bundled/authorization/web/oidc.ts';
import { jsonConfigRepoPlugin } from './bundled/config-repos/json.ts';
import { yamlConfigRepoPlugin } from './bundled/config-repos/yaml.ts';
import { dockerElasticAgentPlugin } from './bundled/elastic-agents/docker.ts';
import { dockerSwarmElasticAgentPlugin } from './bundled/elastic-agents/docker-swarm.ts';
import { ecsElasticAgentPlugin } from './bundled/elastic-agents/ecs.ts';
import { kubernetesElasticAgentPlugin } from './bundled/elastic-agents/kubernetes.ts';
import { debianPackagePlugin } from './bundled/packages/debian.ts';
import { httpJsonPackagePlugin } from './bundled/packages/http-json.ts';
import { npmPackagePlugin } from './bundled/packages/npm.ts';
import { gitPathPlugin } from './bundled/scm/git-path.ts';
import { fileSecretsPlugin } from './bundled/secrets/secrets-file.ts';

export const bundledPlugins: readonly AnyPlugin[] = [
  passwordFile,
  ldap,
  ldapAuthorization,
  github,
  gitlab,
  oidc,
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
