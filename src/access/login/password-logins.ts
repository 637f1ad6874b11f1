// Checks login names and passwords with the sources of users, guarded against guessing.
import { loginKey, normalLogin } from '../../shape/login-name.ts';
import type { Identity } from '../identity.ts';
import type { Users } from '../users/users.ts';
import { admit } from './admit.ts';
import type { SourceSnapshot } from './checked-credentials.ts';
import { keysByConnection } from './credential-keys.ts';
import type { KnownGroups } from './known-groups.ts';
import { LoginGuard } from './login-guard.ts';
import { type LoginSource, type LoginSourceParts, loginSourcesOf } from './login-sources.ts';
import { hashedPasswordVersion, passwordVersionOf } from './password-version.ts';
import { unauthenticated } from './refusals.ts';
import { askSource } from './user-revalidation.ts';

export interface PasswordLoginParts extends LoginSourceParts {
  readonly users: Users;
  readonly groups: KnownGroups;
  onBrokenSource(authConfigId: string, failure: unknown): void;
}

export interface PasswordLogin {
  readonly identity: Identity;
  readonly source: LoginSource;
  /** The source as it was before it was asked. */
  readonly snapshot: SourceSnapshot;
}

export const BAD_CREDENTIALS =
  'Invalid credentials. Either your username and password are incorrect, or there is a problem with your browser cookies. Please check with your administrator.';

export class PasswordLogins {
  readonly sources: () => readonly LoginSource[];
  /** The cache key of the login in an Authorization header. */
  readonly keyOf = keysByConnection();
  readonly #parts: PasswordLoginParts;
  readonly #guard = new LoginGuard();

  constructor(parts: PasswordLoginParts) {
    this.#parts = parts;
    this.sources = loginSourcesOf(parts);
  }

  /** `key` is a keyed hash of the credentials and of the address. */
  async check(
    login: string,
    password: string,
    { address, key }: { readonly address: string; readonly key: string },
  ): Promise<PasswordLogin> {
    const attempt = { login: loginKey(login), address, key };
    const known = await this.#guard.run(attempt, () => this.#askSources(normalLogin(login), password));
    if (!known) throw unauthenticated(BAD_CREDENTIALS);
    const { source, snapshot, found } = known;
    const user = await admit(this.#parts.users, source, found);
    await this.#refreshGroups(source, user.loginName);
    const passwordVersion = await this.#passwordVersionOf(source, snapshot, user.loginName);
    const { loginName, displayName } = user;
    const identity = {
      loginName,
      displayName,
      tokenId: null,
      authConfigId: source.id,
      ...(passwordVersion !== undefined && { passwordVersion }),
    };
    return { identity, source, snapshot };
  }

  snapshotOf({ plugin, settings }: LoginSource): SourceSnapshot {
    const { host, groups } = this.#parts;
    const currentVersion = () => `${plugin.freshness?.(settings, host) ?? ''} ${plugin.groups ? groups.generation : ''}`;
    return { currentVersion, version: currentVersion() };
  }

  /** The version of the checked password. It counts for nothing if the source has changed since: it may be that of a newer password. */
  async #passwordVersionOf(source: LoginSource, snapshot: SourceSnapshot, loginName: string): Promise<string | undefined> {
    const version = await passwordVersionOf(source, loginName, this.#parts);
    if (version === undefined) return undefined;
    return snapshot.currentVersion() === snapshot.version ? hashedPasswordVersion(version) : '';
  }

  async #refreshGroups(source: LoginSource, loginName: string): Promise<void> {
    await this.#parts.groups.refreshOthers(source.id, loginName);
    if (!source.plugin.groups) return;
    const isFound = await askSource(source, this.#parts, () => this.#parts.groups.refresh(source, loginName));
    if (!isFound)
      this.#parts.onBrokenSource(source.id, `'${loginName}' has logged in and cannot be found by this name: no group gives a role.`);
  }

  /** The first source that has a user with this login name and password. */
  async #askSources(login: string, password: string) {
    for (const source of this.sources()) {
      const snapshot = this.snapshotOf(source);
      const found = await this.#ask(source, login, password);
      if (found) return { source, snapshot, found };
    }
    return undefined;
  }

  /** A source that is broken or out of reach must not lock out the users of the others. */
  async #ask({ id, plugin, settings }: LoginSource, login: string, password: string) {
    try {
      return await plugin.authenticate?.(login, password, settings, this.#parts.host);
    } catch (failure) {
      this.#parts.onBrokenSource(id, failure);
      return undefined;
    }
  }
}
