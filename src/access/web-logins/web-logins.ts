// Logs browsers in at the pages of providers, and out again when the provider says so.

import type { AuthorizationHost } from '../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { LoginFailure, type LoginFailureReason, type ProviderAccount, type WebLogin } from '../../contracts/plugins/web-login.ts';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import { normalLogin } from '../../shape/login-name.ts';
import { admit } from '../login/admit.ts';
import { type AdmissionProblem, admissionProblem } from '../login/admitted-user.ts';
import type { FailedLogin } from '../login/authenticate.ts';
import { LoginGuard } from '../login/login-guard.ts';
import type { LoginSource } from '../login/login-sources.ts';
import { askSource } from '../login/user-revalidation.ts';
import type { Session } from '../sessions/session.ts';
import type { BegunSession, Client, SessionLogins } from '../sessions/session-logins.ts';
import type { Users } from '../users/users.ts';
import { ATTEMPT_MS, challengeOf, type LoginAttempt, type LoginSeal, newAttempt, openAttempt, sealAttempt } from './login-attempt.ts';
import { nameClaim } from './name-claim.ts';
import type { ProviderAccounts } from './provider-accounts.ts';
import type { UsedOnce } from './used-once.ts';

/** Why a login on the web failed, as it is passed to the login page. */
export type WebLoginProblem =
  | LoginFailureReason
  | AdmissionProblem
  /** It took too long, was finished already, or another browser has started it. */
  | 'expired'
  /** Another account, or another source of users, has the login name. */
  | 'name_taken'
  /** There is no such source of users, or it takes passwords. */
  | 'no_source';

export class WebLoginRefusal extends Error {
  readonly problem: WebLoginProblem;

  constructor(problem: WebLoginProblem) {
    super(`The user was not logged in: ${problem}.`);
    this.problem = problem;
  }
}

export interface WebLoginParts {
  readonly users: Users;
  readonly accounts: ProviderAccounts;
  readonly logins: SessionLogins;
  readonly usedOnce: UsedOnce;
  readonly seal: LoginSeal;
  readonly host: AuthorizationHost;
  sources(): readonly LoginSource[];
  /** The settings of the plugin roles of a source. */
  rolesOf(authConfigId: string): readonly SettingValues[];
  now(): number;
  onBrokenSource(authConfigId: string, failure: unknown): void;
  onFailedLogin(failed: FailedLogin): void;
}

export interface StartedLogin {
  readonly address: URL;
  /** The encrypted login attempt, which the browser keeps. */
  readonly sealed: string;
}

export interface FinishedLogin extends BegunSession {
  readonly returnTo: string;
}

interface WebSource extends LoginSource {
  readonly web: WebLogin;
}

/** Encrypted and encoded it must fit into a row; a longer one is only a hint that the provider can do without. */
const MAX_ID_TOKEN_LENGTH = 16 * 1024;
/** Problems that are not the fault of the user: they do not count as failed logins. */
const NO_FAILED_LOGINS: ReadonlySet<WebLoginProblem> = new Set(['away', 'expired', 'no_source']);

export class WebLogins {
  readonly #parts: WebLoginParts;
  readonly #guard = new LoginGuard();

  constructor(parts: WebLoginParts) {
    this.#parts = parts;
  }

  /** The sources that have a button on the login page. */
  list(): readonly { readonly id: string; readonly label: string }[] {
    return this.#parts.sources().flatMap(({ id, plugin, settings }) => (plugin.web ? [{ id, label: plugin.web.labelOf(settings) }] : []));
  }

  hasPasswords(): boolean {
    return this.#parts.sources().some(({ plugin }) => plugin.authenticate !== undefined);
  }

  async begin(authConfigId: string, returnTo: string, redirectUri: string): Promise<StartedLogin> {
    const { now, seal, host } = this.#parts;
    const source = this.#source(authConfigId);
    const attempt = newAttempt(source.id, returnTo, now());
    const { state, nonce, codeVerifier } = attempt;
    const start = { redirectUri, state, nonce, codeChallenge: challengeOf(codeVerifier) };
    const address = await this.#ask(source, () => source.web.begin(start, source.settings, host));
    return { address, sealed: sealAttempt(attempt, seal) };
  }

  /** `sealed` is the encrypted login attempt that the browser has kept; only the browser that started a login can finish it. */
  async finish(authConfigId: string, callback: URL, sealed: string | undefined, client: Client): Promise<FinishedLogin> {
    const attempt = this.#attemptIn(authConfigId, callback, sealed);
    const source = this.#source(authConfigId);
    const begun = await this.#guarded(attempt, client, () => this.#finish(source, attempt, callback, client));
    return { ...begun, returnTo: attempt.returnTo };
  }

  /**
   * Each login that was started has a few tries, and failed tries are counted by their address, as those with passwords are. So a user who
   * starts another login is not locked out.
   */
  async #guarded<T>({ state }: LoginAttempt, { address }: Client, finish: () => Promise<T>): Promise<T> {
    let failed: WebLoginRefusal | undefined;
    const noteFailure = (failure: unknown) => {
      if (!(failure instanceof WebLoginRefusal) || NO_FAILED_LOGINS.has(failure.problem)) throw failure;
      failed = failure;
      this.#parts.onFailedLogin({ loginName: null, address, by: 'provider', tokenId: null });
      return undefined;
    };
    const done = await this.#guard.run({ login: state, address, key: state }, () => finish().catch(noteFailure));
    if (done === undefined) throw failed;
    return done;
  }

  /** Where the browser logs out at the provider, too; undefined: it offers none, or cannot be asked. */
  async logoutAddress({ authConfigId, provider }: Session, returnTo: string): Promise<string | undefined> {
    const source = this.#parts.sources().find(({ id }) => id === authConfigId);
    if (!provider || !source?.plugin.web?.logoutAddress) return undefined;
    const idToken = this.#parts.seal.openLogin(provider.idToken) ?? '';
    try {
      return (await source.plugin.web.logoutAddress(idToken, returnTo, source.settings, this.#parts.host))?.href;
    } catch (failure) {
      this.#parts.onBrokenSource(authConfigId, failure); // the session here has ended all the same
      return undefined;
    }
  }

  /** The provider reports that a user has logged out there. Returns how many sessions ended here. */
  async endByNotice(authConfigId: string, token: string): Promise<number> {
    const { usedOnce, logins, host } = this.#parts;
    const source = this.#source(authConfigId);
    const { web, settings } = source;
    if (!web.readLogoutToken) throw new WebLoginRefusal('no_source');
    const read = web.readLogoutToken.bind(web);
    const notice = await this.#ask(source, () => read(token, settings, host));
    if (!(await usedOnce.take(`logout ${source.id} ${notice.id}`, notice.expiresAt))) throw new WebLoginRefusal('expired');
    return logins.sessions.endOfProvider(source.id, { subject: notice.subject, session: notice.sessionId });
  }

  #source(authConfigId: string): WebSource {
    const source = this.#parts.sources().find(({ id }) => id === authConfigId);
    if (!source?.plugin.web) throw new WebLoginRefusal('no_source');
    return { ...source, web: source.plugin.web };
  }

  #attemptIn(authConfigId: string, callback: URL, sealed: string | undefined): LoginAttempt {
    const attempt = sealed === undefined ? undefined : openAttempt(sealed, this.#parts.seal, this.#parts.now());
    const state = callback.searchParams.get('state') ?? '';
    if (attempt?.authConfigId !== authConfigId || !isEqualTimingSafe(state, attempt.state)) throw new WebLoginRefusal('expired');
    return attempt;
  }

  async #finish(source: WebSource, attempt: LoginAttempt, callback: URL, client: Client): Promise<BegunSession> {
    const { users, accounts, logins, usedOnce, host } = this.#parts;
    const { state, nonce, codeVerifier, startedAt } = attempt;
    const returned = { callback, state, nonce, codeVerifier, roles: this.#parts.rolesOf(source.id) };
    const account = await this.#ask(source, () => source.web.finish(returned, source.settings, host));
    if (!(await usedOnce.take(`login ${state}`, startedAt + ATTEMPT_MS))) throw new WebLoginRefusal('expired');
    const loginName = normalLogin(account.loginName);
    await this.#mustBeFree(source, loginName, account);
    const { onlyKnownUsers } = source;
    const problem = admissionProblem(users.find(loginName), { loginName }, { onlyKnownUsers, lookAlike: users.findLookAlike(loginName) });
    if (problem !== undefined) throw new WebLoginRefusal(problem);
    const user = await admit(users, source, account);
    await accounts.note(source.id, user.loginName, account, (linked) => {
      if (nameClaim(account, linked) === 'taken') throw new WebLoginRefusal('name_taken');
    });
    const identity = { loginName: user.loginName, displayName: user.displayName, tokenId: null, authConfigId: source.id };
    return logins.begin({ identity, source, snapshot: NEVER_CHANGES, provider: this.#kept(account) }, client);
  }

  #kept({ subject, session: { id, idToken } }: ProviderAccount) {
    const isKept = idToken !== '' && idToken.length <= MAX_ID_TOKEN_LENGTH;
    return { subject, session: id, idToken: isKept ? this.#parts.seal.sealLogin(idToken) : '' };
  }

  /** No user becomes another one by choosing their login name at a provider. */
  async #mustBeFree(source: WebSource, loginName: string, account: ProviderAccount): Promise<void> {
    const claim = nameClaim(account, this.#parts.accounts.find(source.id, loginName));
    if (claim === 'taken') throw new WebLoginRefusal('name_taken');
    if (claim === 'linked' || source.web.linksExistingUsers(source.settings)) return;
    for (const other of this.#parts.sources()) {
      if (other.id !== source.id && (await this.#isClaimedBy(other, loginName, account))) throw new WebLoginRefusal('name_taken');
    }
  }

  async #isClaimedBy(other: LoginSource, loginName: string, account: ProviderAccount): Promise<boolean> {
    if (!other.plugin.web) return askSource(other, this.#parts, () => other.plugin.isUser(loginName, other.settings, this.#parts.host));
    const linked = this.#parts.accounts.find(other.id, loginName);
    return linked !== undefined && nameClaim(account, linked) !== 'linked';
  }

  async #ask<T>({ id }: WebSource, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (failure) {
      this.#parts.onBrokenSource(id, failure);
      throw failure instanceof LoginFailure ? new WebLoginRefusal(failure.reason) : failure;
    }
  }
}

/** There is no password that could change meanwhile. */
const NEVER_CHANGES = { currentVersion: () => '', version: '' };
