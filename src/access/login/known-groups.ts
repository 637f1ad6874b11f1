// Keeps the groups of users, as sources of users with passwords report them. The sources are asked at each login, and at each check
// whether a user still exists: a user who has left a group loses its roles then.
import type { Config } from '../../config/current.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Property } from '../../shape/properties.ts';
import type { ProviderAccounts } from '../web-logins/provider-accounts.ts';
import { type LoginSource, type LoginSourceParts, loginSourcesOf } from './login-sources.ts';

interface Parts extends LoginSourceParts {
  readonly accounts: Pick<ProviderAccounts, 'noteGroups' | 'of'>;
  onBrokenSource(authConfigId: string, failure: unknown): void;
}

export interface KnownGroups {
  /** Grows when roles may ask for other groups than those that are known. */
  readonly generation: number;
  /** False: the source has no such user, who is in no group then. Rejects when it cannot be asked. */
  refresh(source: LoginSource, loginName: string): Promise<boolean>;
  /**
   * Refreshes all other sources that have reported groups of the user: rights count whichever source they logged in by, and a user who
   * was removed from a source must not keep its groups by another login. A source that cannot be asked locks no user out: its groups count
   * no more.
   */
  refreshOthers(authConfigId: string, loginName: string): Promise<void>;
}

export function knownGroups(parts: Parts): KnownGroups {
  const { config, clearValues, host, accounts, onBrokenSource } = parts;
  const sources = loginSourcesOf(parts);
  const roles = config.of('roles');
  const rolesOf = pluginRolesOf(config, clearValues);
  return {
    get generation() {
      return roles.generation;
    },

    refresh,

    async refreshOthers(authConfigId, loginName) {
      for (const { authConfigId: id, groups } of accounts.of(loginName)) {
        const source = id === authConfigId || groups.length === 0 ? undefined : sources().find((one) => one.id === id);
        if (source?.plugin.groups) await refreshOther(source, loginName);
      }
    },
  };

  async function refresh({ id, plugin, settings }: LoginSource, loginName: string): Promise<boolean> {
    const found = await plugin.groups?.find(loginName, rolesOf(id), settings, host);
    for (const failure of found?.failures ?? []) onBrokenSource(id, failure);
    await accounts.noteGroups(id, loginName, found?.groups ?? []);
    return found !== undefined;
  }

  async function refreshOther(source: LoginSource, loginName: string): Promise<void> {
    try {
      await refresh(source, loginName);
    } catch (failure) {
      onBrokenSource(source.id, failure);
      await accounts.noteGroups(source.id, loginName, []);
    }
  }
}

/** The settings of the plugin roles of a source. */
export function pluginRolesOf(
  config: Config,
  clearValues: (properties: readonly Property[]) => SettingValues,
): (authConfigId: string) => readonly SettingValues[] {
  return (id) =>
    Array.from(config.of('roles').all(), ({ value }) => value.attributes).flatMap((given) =>
      'authConfigId' in given && given.authConfigId === id ? [clearValues(given.properties)] : [],
    );
}
