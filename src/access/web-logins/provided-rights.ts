// The rights of users by the accounts and groups that their sources report: plugin roles, and groups of administrators.
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Property } from '../../shape/properties.ts';
import type { LoginSource } from '../login/login-sources.ts';
import type { ProvidedRights } from '../may.ts';
import type { ProviderAccounts } from './provider-accounts.ts';

interface Parts {
  readonly accounts: Pick<ProviderAccounts, 'generation' | 'of' | 'find'>;
  sources(): readonly LoginSource[];
  clearValues(properties: readonly Property[]): SettingValues;
  /** Grows when an authorization configuration changes. */
  sourcesGeneration(): number;
}

export function providedRights({ accounts, sources, clearValues, sourcesGeneration }: Parts): ProvidedRights {
  const sourceOf = (id: string) => sources().find((source) => source.id === id);
  return {
    get generation() {
      return accounts.generation + sourcesGeneration();
    },

    hasRole(loginName: string, { attributes }: EntityNamed<'roles'>): boolean {
      if (!('authConfigId' in attributes)) return false;
      const { authConfigId, properties } = attributes;
      const account = accounts.find(authConfigId, loginName);
      if (!account) return false;
      const plugin = sourceOf(account.authConfigId)?.plugin;
      const source = plugin?.web ?? plugin?.groups;
      return source?.hasRole(clearValues(properties), { loginName, groups: account.groups }) ?? false;
    },

    isAdmin(loginName: string): boolean {
      return accounts.of(loginName).some(({ authConfigId, groups }) => {
        const source = sourceOf(authConfigId);
        return source?.plugin.web?.isAdmin?.(groups, source.settings) ?? false;
      });
    },
  };
}
