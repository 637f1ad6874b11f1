// The authorization configurations as sources of users: each with its plugin and its settings in clear.
import type { Config } from '../../config/current.ts';
import type { AuthorizationHost, AuthorizationPlugin } from '../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Property } from '../../shape/properties.ts';

export interface LoginSourceParts {
  readonly config: Config;
  readonly host: AuthorizationHost;
  findPlugin(id: string): AuthorizationPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
}

/** One authorization configuration, ready to be asked. */
export interface LoginSource {
  readonly id: string;
  readonly plugin: AuthorizationPlugin;
  readonly settings: SettingValues;
  readonly onlyKnownUsers: boolean;
}

/** The installed sources in the order of the configuration, made anew only when that changes. */
export function loginSourcesOf({ config, findPlugin, clearValues }: LoginSourceParts): () => readonly LoginSource[] {
  const entries = config.of('authConfigs');
  let generation = -1;
  let sources: LoginSource[] = [];
  return () => {
    if (generation === entries.generation) return sources;
    generation = entries.generation;
    sources = [...entries.all()].flatMap(({ value }) => {
      const plugin = findPlugin(value.pluginId);
      if (!plugin) return [];
      const settings = clearValues(value.properties);
      return [{ id: value.id, plugin, settings, onlyKnownUsers: value.allowOnlyKnownUsersToLogin }];
    });
    return sources;
  };
}
