// The interface of plugins whose users log in at the pages of a provider, in their browser (OAuth 2.0, OpenID Connect).
import type { AuthorizationHost } from './authorization-host.ts';
import type { SettingValues } from './plugin.ts';

/** Why a login at a provider came to nothing. */
export type LoginFailureReason =
  /** The provider cannot be reached, or does not answer in time. */
  | 'away'
  /** The user, or the provider, has said no. */
  | 'denied'
  /** The answer of the provider does not pass the checks. */
  | 'invalid'
  /** The user is in none of the groups that are let in. */
  | 'not_allowed';

/** Its message is for the log of the server: it holds neither codes nor tokens nor secrets. */
export class LoginFailure extends Error {
  readonly reason: LoginFailureReason;

  constructor(reason: LoginFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface LoginStart {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE, S256. */
  readonly codeChallenge: string;
}

export interface LoginReturn {
  /** The redirect address with all that the provider has added to it. */
  readonly callback: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The settings of the plugin roles of this source: only the groups that they name have to be looked up. */
  readonly roles: readonly SettingValues[];
}

/** A user as the provider knows them. */
export interface ProviderAccount {
  /** The provider; a subject means nothing without it. */
  readonly issuer: string;
  /** Never changes, and is never given to another user. */
  readonly subject: string;
  readonly loginName: string;
  readonly displayName: string;
  readonly email: string | undefined;
  /** In the words of the plugin, which alone reads them. */
  readonly groups: readonly string[];
  readonly session: ProviderSession;
}

/** The session at the provider, for a single logout; empty texts: the provider has none. */
export interface ProviderSession {
  readonly id: string;
  readonly idToken: string;
}

/** The account that a role is asked about. */
export interface Member {
  readonly loginName: string;
  readonly groups: readonly string[];
}

/** The provider says that a user has logged out there. */
export interface LogoutNotice {
  /** Unique for each notice of this provider. */
  readonly id: string;
  /** Milliseconds; the server does not accept the notice afterwards. */
  readonly expiresAt: number;
  /** Undefined: it does not name the user, but the session. */
  readonly subject: string | undefined;
  readonly sessionId: string | undefined;
}

export interface WebLogin {
  /** The label of the button, after "Sign in with". */
  labelOf(settings: SettingValues): string;
  /** Which provider it is, in words of the plugin. Another one knows other people. */
  providerOf(settings: SettingValues): string;
  /** Whether a login name means the same person here as in other sources of users. */
  linksExistingUsers(settings: SettingValues): boolean;
  /** Where the browser has to go. Rejects with LoginFailure. */
  begin(start: LoginStart, settings: SettingValues, host: AuthorizationHost): Promise<URL>;
  /** The user who has logged in. Rejects with LoginFailure. */
  finish(returned: LoginReturn, settings: SettingValues, host: AuthorizationHost): Promise<ProviderAccount>;
  /** Whether a user in these groups may log in, by the settings as they are now. */
  isLetIn(groups: readonly string[], settings: SettingValues): boolean;
  hasRole(role: SettingValues, member: Member): boolean;
  /** Whether a user in these groups administers the server. */
  isAdmin?(groups: readonly string[], settings: SettingValues): boolean;
  /** Where the browser has to go to log out at the provider, too; undefined: the provider has no such place. */
  logoutAddress?(idToken: string, returnTo: string, settings: SettingValues, host: AuthorizationHost): Promise<URL | undefined>;
  /** Rejects with LoginFailure unless the provider has made the token for this client. */
  readLogoutToken?(token: string, settings: SettingValues, host: AuthorizationHost): Promise<LogoutNotice>;
}
