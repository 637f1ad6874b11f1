// Joins logins at providers to the server: their accounts, the rights they provide, and the logins themselves.
import { pluginRolesOf } from '../../access/login/known-groups.ts';
import type { LoginSource, LoginSourceParts } from '../../access/login/login-sources.ts';
import { replacedSources } from '../../access/login/replaced-sources.ts';
import type { AdmittedAccounts } from '../../access/login/user-revalidation.ts';
import type { ProvidedRights } from '../../access/may.ts';
import type { SessionLogins } from '../../access/sessions/session-logins.ts';
import type { Users } from '../../access/users/users.ts';
import { providedRights } from '../../access/web-logins/provided-rights.ts';
import type { ProviderAccounts } from '../../access/web-logins/provider-accounts.ts';
import { UsedOnce } from '../../access/web-logins/used-once.ts';
import { type WebLoginParts, WebLogins } from '../../access/web-logins/web-logins.ts';
import type { Changes } from '../../config/change.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';
import type { SerialTableWrites } from '../../store/serial-table-writes.ts';

interface Parts extends LoginSourceParts, Pick<WebLoginParts, 'onBrokenSource' | 'onFailedLogin'> {
  readonly database: Database;
  readonly serialWrites: SerialTableWrites;
  readonly users: Users;
  readonly accounts: ProviderAccounts;
  readonly changes: Changes;
  readonly cachedTables: CachedTables;
  readonly cipher: Cipher;
  readonly runner: PeriodicRunner;
  sources(): readonly LoginSource[];
  onFailure(failure: unknown): void;
}

export interface OpenWebLogins {
  readonly provided: ProvidedRights;
  readonly admittedAccounts: AdmittedAccounts;
  logins(sessionLogins: SessionLogins): WebLogins;
}

const EXPIRED_PERIOD_MS = 60 * 60_000;

export function openWebLogins(parts: Parts): OpenWebLogins {
  const { database, serialWrites, users, accounts, config, cachedTables, changes, runner, sources, clearValues, host } = parts;
  const usedOnce = new UsedOnce(database, serialWrites);
  cachedTables.add('provider_accounts', () => accounts.reload());
  changes.listen(({ edits }) => {
    for (const id of replacedSources(edits, parts)) accounts.removeOfSource(id).catch(parts.onFailure);
  });
  runner.add({
    name: 'what counts once',
    when: { every: EXPIRED_PERIOD_MS },
    runsWhilePaused: true,
    run: () => usedOnce.removeExpired(),
  });
  const authConfigs = config.of('authConfigs');
  return {
    provided: providedRights({ accounts, sources, clearValues, sourcesGeneration: () => authConfigs.generation }),
    admittedAccounts: {
      get generation() {
        return accounts.forgotten;
      },
      has({ id, plugin: { web }, settings }, loginName) {
        const account = web && accounts.find(id, loginName);
        // Otherwise the user has to log in at the provider first. Logins at a former provider do not count.
        return !web || (account !== undefined && web.isLetIn(account.groups, settings));
      },
    },
    logins: (logins) =>
      new WebLogins({
        users,
        accounts,
        logins,
        usedOnce,
        seal: parts.cipher,
        host,
        sources,
        rolesOf: pluginRolesOf(config, clearValues),
        now: () => database.now(),
        onBrokenSource: parts.onBrokenSource,
        onFailedLogin: parts.onFailedLogin,
      }),
  };
}
