// Joins users to the server: their tokens and rights, and how requests are authenticated.

import { type ChangeEnabledUsers, changeEnabledUsers, keepsALogin, keepsAnAdmin, sourceToolsFrom } from '../../access/conditions.ts';
import type { Identity } from '../../access/identity.ts';
import { type Authenticate, authenticator } from '../../access/login/authenticate.ts';
import { canAdminLogIn } from '../../access/login/can-log-in.ts';
import { knownGroups } from '../../access/login/known-groups.ts';
import { loginRevalidator } from '../../access/login/login-revalidation.ts';
import { PasswordLogins } from '../../access/login/password-logins.ts';
import { sourceWarnings } from '../../access/login/source-warnings.ts';
import { Access } from '../../access/may.ts';
import { keepsIdentity } from '../../access/server-identity.ts';
import type { SessionLimits } from '../../access/sessions/session.ts';
import { addSessionHousekeeping } from '../../access/sessions/session-housekeeping.ts';
import { SessionLogins } from '../../access/sessions/session-logins.ts';
import { Sessions } from '../../access/sessions/sessions.ts';
import { revokeOrphans } from '../../access/users/revoke-orphans.ts';
import { isUsable, NO_SOURCE } from '../../access/users/token.ts';
import { tokenHealth } from '../../access/users/token-health.ts';
import { Tokens } from '../../access/users/tokens.ts';
import { Users } from '../../access/users/users.ts';
import { ProviderAccounts } from '../../access/web-logins/provider-accounts.ts';
import type { WebLogins } from '../../access/web-logins/web-logins.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../store/database.ts';
import { SerialTableWrites } from '../../store/serial-table-writes.ts';
import type { OpenConfiguration } from './configuration.ts';
import { loginSources } from './plugin-parts.ts';
import { openWebLogins } from './web-logins.ts';

interface Parts extends Pick<OpenConfiguration, 'config' | 'changes' | 'cachedTables' | 'cipher' | 'plugins' | 'eventLog' | 'health'> {
  readonly dataDir: string;
  readonly sessionLimits: SessionLimits;
  readonly database: Database;
  readonly runner: PeriodicRunner;
  readonly log: Log;
}

export interface OpenAccess {
  /** Users and their rows in other tables change one after the other: deleting a user deletes their sessions and filters, too. */
  readonly serialWrites: SerialTableWrites;
  readonly changeEnabledUsers: ChangeEnabledUsers;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly access: Access;
  readonly authenticate: Authenticate;
  readonly sessionLogins: SessionLogins;
  readonly webLogins: WebLogins;
  /** Writes the last uses of tokens and sessions, which are kept in memory until then. */
  writeLastUses(): Promise<void>;
  canAdminLogIn(): Promise<boolean>;
  /** Whether a user who was let in would be let in again. */
  isStillAllowed(identity: Identity): boolean;
}

const LAST_USE_PERIOD_MS = 60_000;
const WARNINGS_PERIOD_MS = 2000;
const TOKEN_WATCH_MS = 60_000;

export async function openAccess({
  config,
  changes,
  cachedTables,
  cipher,
  plugins,
  eventLog,
  health,
  dataDir,
  sessionLimits: limits,
  database,
  runner,
  log,
}: Parts): Promise<OpenAccess> {
  const serialWrites = new SerialTableWrites(eventLog.write, database);
  const users = await Users.load(database, serialWrites);
  const tokens = await Tokens.load(database, serialWrites);
  cachedTables.add('users', () => users.reload());
  cachedTables.add('access_tokens', () => tokens.reload());
  const sources = loginSources(plugins, dataDir);
  changes.addGuard(keepsAnAdmin(users));
  changes.addGuard(keepsALogin(sourceToolsFrom(sources), users));
  changes.addGuard(keepsIdentity);
  await revokeOrphans(tokens, config, changes, (failure) =>
    log.error({ err: failure }, 'tokens of a deleted authorization configuration could not be revoked'),
  );
  runner.add({
    name: 'last uses of tokens',
    when: { every: LAST_USE_PERIOD_MS },
    where: 'everywhere', // each server knows the tokens that were used with it
    runsWhilePaused: true,
    run: () => tokens.writeLastUses(),
  });
  runner.add({
    name: 'access tokens that have expired',
    when: { every: TOKEN_WATCH_MS, firstAfter: 0 },
    runsWhilePaused: true,
    run: () => tokens.reportExpired(),
  });
  const lookAtTokens = tokenHealth(tokens, health);
  runner.add({
    name: 'warnings about access tokens',
    when: { every: TOKEN_WATCH_MS, firstAfter: 0 },
    where: 'everywhere', // health messages are this server's
    runsWhilePaused: true,
    run: async () => lookAtTokens(),
  });
  runner.add({
    name: 'warnings about sources of users',
    when: { every: WARNINGS_PERIOD_MS, firstAfter: 0 },
    where: 'everywhere', // sources are files and programs of this machine, and health messages are this server's
    runsWhilePaused: true,
    run: sourceWarnings({ config, health, ...sources }),
  });
  const onBrokenSource = (authConfigId: string, failure: unknown) =>
    log.warn({ authConfigId, reason: String(failure) }, 'an authorization source could not be asked, or refused');
  const accounts = await ProviderAccounts.load({ database, serialWrites, users });
  const loginParts = {
    config,
    users,
    ...sources,
    groups: knownGroups({ config, ...sources, accounts, onBrokenSource }),
    onBrokenSource,
    onFailedLogin: eventLog.publish.failedLogin,
  };
  const passwords = new PasswordLogins(loginParts);
  const sessions = new Sessions({ database, serialWrites, limits, usersGeneration: () => users.generation });
  const isUsableToken = (id: number) => {
    const token = tokens.find(id);
    return token !== undefined && isUsable(token, Date.now());
  };
  const noteFailure = (failure: unknown) => log.error({ err: failure }, 'a session could not be looked up or ended');
  cachedTables.add('sessions', async () => sessions.forget());
  addSessionHousekeeping(sessions, { changes, runner, sources, onFailure: noteFailure });
  const tables = { database, serialWrites, cachedTables, changes, runner, onFailure: noteFailure };
  const web = openWebLogins({ ...loginParts, ...tables, accounts, cipher, sources: passwords.sources });
  const { admittedAccounts } = web;
  const sessionLogins = new SessionLogins({ ...loginParts, sessions, passwords, admittedAccounts });
  /** As far as it is known without asking the source. */
  const isStillOfSource = (id: string, loginName: string) => {
    if (id === NO_SOURCE) return users.find(loginName)?.serviceAccount !== undefined;
    const source = passwords.sources().find((one) => one.id === id);
    return source !== undefined && admittedAccounts.has(source, loginName);
  };
  const isStillKnown = ({ loginName, tokenId, sessionHash, authConfigId }: Identity) =>
    users.find(loginName)?.enabled === true &&
    isStillOfSource(authConfigId, loginName) &&
    (tokenId === null || isUsableToken(tokenId)) &&
    (sessionHash === undefined || sessions.isOpen(sessionHash, noteFailure));
  const isStillValidLogin = loginRevalidator({
    ...loginParts,
    admittedAccounts,
    sources: passwords.sources,
    snapshotOf: (source) => passwords.snapshotOf(source),
  });
  return {
    isStillAllowed: (identity) => isStillKnown(identity) && isStillValidLogin(identity),
    serialWrites,
    changeEnabledUsers: changeEnabledUsers(users, config, changes),
    users,
    tokens,
    access: new Access(config, web.provided),
    authenticate: authenticator({ ...loginParts, tokens, passwords, admittedAccounts }),
    sessionLogins,
    webLogins: web.logins(sessionLogins),
    writeLastUses: async () => {
      await Promise.all([tokens.writeLastUses(), sessions.writeUses()]);
    },
    canAdminLogIn: () => canAdminLogIn({ config, users, ...sources }),
  };
}
