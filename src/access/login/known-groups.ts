// Keeps what sources of users with passwords say of the groups of their users. They are asked at each login, and whenever it is looked
// whether somebody is still there: who has left a group loses its roles then.
import type { Config } from '../../config/current.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Property } from '../../shape/properties.ts';
import type { ProviderAccounts } from '../web-logins/provider-accounts.ts';
import type { LoginSource, LoginSourceParts } from './login-sources.ts';

interface Parts extends Pick<LoginSourceParts, 'config' | 'clearValues' | 'host'> {
  readonly accounts: Pick<ProviderAccounts, 'noteGroups'>;
  onBrokenSource(authConfigId: string, failure: unknown): void;
}

export interface KnownGroups {
  /** Grows when roles may ask for other groups than those that are known. */
  readonly generation: number;
  /** False: the source has no such user, who is in no group then. Rejects when it cannot be asked. */
  refresh(source: LoginSource, loginName: string): Promise<boolean>;
}

export function knownGroups({ config, clearValues, host, accounts, onBrokenSource }: Parts): KnownGroups {
  const roles = config.of('roles');
  const rolesOf = pluginRolesOf(config, clearValues);
  return {
    get generation() {
      return roles.generation;
    },

    async refresh({ id, plugin, settings }, loginName) {
      const found = await plugin.groups?.find(loginName, rolesOf(id), settings, host);
      for (const failure of found?.failures ?? []) onBrokenSource(id, failure);
      await accounts.noteGroups(id, loginName, found?.groups ?? []);
      return found !== undefined;
    },
  };
}

/** The settings of the plugin roles of a source. */
export function pluginRolesOf(
  config: Config,
  clearValues: (properties: readonly Property[]) => SettingValues,
): (authConfigId: string) => readonly SettingValues[] {
  return (id) =>
    Array.from(config.of('roles').all(), ({ value }) => value.attributes).flatMap((given) =>
      'authConfigId' in given && given.authConfigId === id ? [clearValues(given.properties as readonly Property[])] : [],
    );
}
