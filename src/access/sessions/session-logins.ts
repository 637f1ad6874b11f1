// Logs browsers in and out, and authenticates requests by the session cookie.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../kit/bytes/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Identity } from '../identity.ts';
import { type FailedLogin, isFailedLogin } from '../login/authenticate.ts';
import { CheckedCredentials } from '../login/checked-credentials.ts';
import type { LoginSource } from '../login/login-sources.ts';
import type { PasswordLogin, PasswordLoginParts, PasswordLogins } from '../login/password-logins.ts';
import { hashedPasswordVersion, passwordVersionOf } from '../login/password-version.ts';
import { disabled, unauthenticated } from '../login/refusals.ts';
import { isStillValidUser, type UserRevalidationParts } from '../login/user-revalidation.ts';
import { keyOf } from '../users/users.ts';
import { csrfTokenOf, isSessionToken, type Session, type SessionProvider, storedPasswordVersion } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface SessionLoginParts extends PasswordLoginParts, UserRevalidationParts {
  readonly sessions: Sessions;
  readonly passwords: PasswordLogins;
  onFailedLogin?(failed: FailedLogin): void;
}

/** The browser that a user logs in with. */
export interface Client {
  readonly address: string;
  readonly browser: string;
  /** The session token that its cookie already holds. */
  readonly formerToken: string | undefined;
}

/** A login that the source of the user has confirmed. */
export interface CheckedLogin extends PasswordLogin {
  /** Absent: a login with a password. */
  readonly provider?: SessionProvider;
}

export interface BegunSession {
  /** For the cookie. It is sent once. */
  readonly token: string;
  readonly identity: Identity;
  readonly session: Session;
}

const SESSION_ENDED = 'Your session has ended. Log in again.';
const CHANGED_MEANWHILE = 'The passwords of this server were changed while you logged in. Try again.';
const TOKEN_BYTES = 32;
const MAX_BROWSER_LENGTH = 255;

export class SessionLogins {
  readonly sessions: Sessions;
  readonly #parts: SessionLoginParts;
  readonly #checked: CheckedCredentials;
  readonly #underWay = new Map<string, Promise<Identity>>();

  constructor(parts: SessionLoginParts) {
    this.#parts = parts;
    this.sessions = parts.sessions;
    const authConfigs = parts.config.of('authConfigs');
    this.#checked = new CheckedCredentials(
      () => authConfigs.generation + parts.users.generation + parts.admittedAccounts.generation,
      () => {},
    );
  }

  /** Checks a password as every login does. */
  async check(login: string, password: string, address: string): Promise<PasswordLogin> {
    // A login by header has the same key: the guard knows credentials by it that were right before.
    const key = this.#parts.passwords.keyOf(`Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`, address, {});
    try {
      return await this.#parts.passwords.check(login, password, { address, key });
    } catch (failure) {
      const loginName = this.#parts.users.find(login)?.loginName ?? null;
      if (isFailedLogin(failure)) this.#parts.onFailedLogin?.({ loginName, address, by: 'password', tokenId: null });
      throw failure;
    }
  }

  /** Always under a new token: one that an attacker has put into the browser beforehand is never logged in (session fixation). */
  async begin({ identity, source, snapshot, provider }: CheckedLogin, client: Client): Promise<BegunSession> {
    const { users, config } = this.#parts;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const version = await this.#passwordVersionOf(source, identity.loginName);
    if (snapshot.currentVersion() !== snapshot.version) throw new Refusal('unavailable', CHANGED_MEANWHILE, { retryAfter: 1 });
    const now = this.sessions.now();
    const session: Session = {
      hash: sha256(token),
      userKey: keyOf(identity.loginName),
      authConfigId: source.id,
      passwordVersion: storedPasswordVersion(token, version),
      createdAt: now,
      usedAt: now,
      address: client.address,
      browser: client.browser.slice(0, MAX_BROWSER_LENGTH),
      ...(provider && { provider }),
    };
    const mayBegin = () => {
      if (!users.mustKnow(identity.loginName).enabled) throw disabled();
      if (!config.of('authConfigs').find(source.id)) throw unauthenticated();
    };
    const former = client.formerToken === undefined ? undefined : sha256(client.formerToken);
    await this.sessions.begin(session, mayBegin, former);
    return { token, identity: { ...identity, sessionHash: session.hash }, session };
  }

  /** Waits for nothing as long as it is known. */
  authenticate(token: string): Identity | Promise<Identity> {
    if (!isSessionToken(token)) throw unauthenticated(SESSION_ENDED);
    const hash = sha256(token);
    const identity = this.sessions.known(hash) && this.#checked.find(hash);
    if (!identity) {
      return this.#underWay.getOrInsertComputed(hash, () => this.#look(token, hash).finally(() => this.#underWay.delete(hash)));
    }
    this.sessions.noteUse({ hash });
    return identity;
  }

  csrfToken(token: string): string {
    return csrfTokenOf(token);
  }

  async #look(token: string, hash: string): Promise<Identity> {
    const { users, passwords } = this.#parts;
    const generation = this.#checked.generation();
    const session = await this.sessions.find(hash);
    const source = session && passwords.sources().find(({ id }) => id === session.authConfigId);
    if (!source) throw unauthenticated(SESSION_ENDED);
    const snapshot = passwords.snapshotOf(source);
    const user = users.find(session.userKey);
    if (user && !user.enabled) throw disabled();
    const version = await this.#passwordVersionOf(source, session.userKey);
    const stored = storedPasswordVersion(token, version);
    if (!user || !(await this.#isSame(session, source, user.loginName, stored))) throw unauthenticated(SESSION_ENDED);
    const { loginName, displayName } = user;
    const identity: Identity = {
      loginName,
      displayName,
      tokenId: null,
      authConfigId: source.id,
      sessionHash: hash,
      ...(version !== undefined && { passwordVersion: hashedPasswordVersion(version) }),
    };
    this.#checked.keep(hash, identity, snapshot, generation);
    this.sessions.noteUse({ hash });
    return identity;
  }

  /** Whether the user is still there, with the same password as far as the source knows. */
  async #isSame({ passwordVersion }: Session, source: LoginSource, login: string, version: string): Promise<boolean> {
    if (!source.plugin.passwordVersion) return isStillValidUser(source, login, this.#parts);
    await this.#parts.groups.refreshOthers(source.id, login);
    return version !== '' && version === passwordVersion;
  }

  #passwordVersionOf(source: LoginSource, login: string): Promise<string | undefined> {
    return passwordVersionOf(source, login, this.#parts);
  }
}
