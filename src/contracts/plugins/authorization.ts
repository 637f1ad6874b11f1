// The interface of plugins that know users, beyond their description.
import type { AuthorizationHost } from './authorization-host.ts';
import type { Plugin, SettingProblem, SettingValues } from './plugin.ts';
import type { Member, WebLogin } from './web-login.ts';

export type { AuthorizationHost } from './authorization-host.ts';

export interface KnownUser {
  readonly loginName: string;
  readonly displayName: string;
  readonly email: string | undefined;
}

export type ConnectionResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Something in a source of users that an administrator should put right. */
export interface SourceWarning {
  readonly message: string;
  /** The users or lines concerned, and how to fix it. */
  readonly detail: string;
}

export interface FoundGroups {
  /** In the words of the plugin, which alone reads them; only the groups that the roles ask for. */
  readonly groups: readonly string[];
  /** Why the source could not say whether a user is in a group. They hold no secrets. */
  readonly failures: readonly string[];
}

/** The groups of users who log in with a password; groups give plugin roles. */
export interface UserGroups {
  /** Undefined: there is no such user. Rejects when the source of users is broken or out of reach. */
  find(login: string, roles: readonly SettingValues[], settings: SettingValues, host: AuthorizationHost): Promise<FoundGroups | undefined>;
  hasRole(role: SettingValues, member: Member): boolean;
}

export interface AuthorizationPlugin extends Plugin {
  readonly kind: 'authorization';
  /**
   * The user these credentials belong to, or undefined. Rejects only when the source of users is broken or out of reach.
   * Absent: there are no passwords, users log in on the web.
   */
  authenticate?(login: string, password: string, settings: SettingValues, host: AuthorizationHost): Promise<KnownUser | undefined>;
  /** Whether this login name still exists, for access tokens. */
  isUser(login: string, settings: SettingValues, host: AuthorizationHost): Promise<boolean>;
  /** Absent: users log in with a password. */
  readonly web?: WebLogin;
  /** Absent: groups of users give no roles, or `web` reports them. */
  readonly groups?: UserGroups;
  /** A text that is another one as soon as this user has another password, where the source knows that; undefined: there is no such user. */
  passwordVersion?(login: string, settings: SettingValues, host: AuthorizationHost): Promise<string | undefined>;
  search(term: string, settings: SettingValues, host: AuthorizationHost): Promise<readonly KnownUser[]>;
  verifyConnection(settings: SettingValues, host: AuthorizationHost): Promise<ConnectionResult>;
  /** The setting that names a missing file, where that can be checked at once. */
  missingPrerequisite?(settings: SettingValues, host: AuthorizationHost): SettingProblem | undefined;
  /** Whether it has one of these users, where that can be checked at once because it is a file of this machine. */
  hasAny?(logins: readonly string[], settings: SettingValues, host: AuthorizationHost): boolean;
  /** At most one warning with the same message. Rejects when the source of users is broken or out of reach. */
  warnings?(settings: SettingValues, host: AuthorizationHost): Promise<readonly SourceWarning[]>;
  /** A text that changes whenever cached answers of this plugin may be wrong; cheap enough to ask often. */
  freshness?(settings: SettingValues, host: AuthorizationHost): string;
}

/** One whose users have passwords. */
export type PasswordPlugin = AuthorizationPlugin & Required<Pick<AuthorizationPlugin, 'authenticate'>>;
