// A plugin of whatever kind: its kind tells which interface it has.
import type { AuthorizationPlugin } from './authorization.ts';
import type { ConfigRepoPlugin } from './config-repo.ts';
import type { ElasticAgentPlugin } from './elastic-agent.ts';
import type { PackagePlugin } from './package-repository.ts';
import type { Plugin } from './plugin.ts';
import type { ScmPlugin } from './scm.ts';
import type { SecretsPlugin } from './secrets.ts';

/** The server itself does its work: the plugin only describes its settings. */
interface ArtifactPlugin extends Plugin {
  readonly kind: 'artifact';
}

export type AnyPlugin =
  | ArtifactPlugin
  | AuthorizationPlugin
  | ConfigRepoPlugin
  | ElasticAgentPlugin
  | PackagePlugin
  | ScmPlugin
  | SecretsPlugin;
