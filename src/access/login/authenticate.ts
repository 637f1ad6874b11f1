// Authenticates requests by their Authorization header, or refuses them.

import { addressList } from '../../kit/network/address-list.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Identity } from '../identity.ts';
import { addressesOf, hasExpired, limitsOf, NO_SOURCE, type Token } from '../users/token.ts';
import type { Tokens } from '../users/tokens.ts';
import type { User } from '../users/users.ts';
import { CheckedCredentials, type SourceSnapshot } from './checked-credentials.ts';
import { type PasswordLoginParts, PasswordLogins } from './password-logins.ts';
import { disabled, unauthenticated } from './refusals.ts';
import { isStillValidUser, type UserRevalidationParts } from './user-revalidation.ts';

/** `connection` is any object that stands for the client's connection. */
export type Authenticate = (header: string | undefined, address: string, connection: object) => Identity | Promise<Identity>;

export interface AuthenticationParts extends PasswordLoginParts, UserRevalidationParts {
  readonly tokens: Tokens;
  /** Shared with other ways to log in, so that tries are counted together. */
  readonly passwords?: PasswordLogins;
  /** Called when a login fails: the credentials do not count, or there were too many tries. */
  onFailedLogin?(failed: FailedLogin): void;
}

export interface FailedLogin {
  /** The user whose name was given, or whose token it is; null when there is none. */
  readonly loginName: string | null;
  readonly address: string;
  /** `provider`: on the web, with an account of theirs there. */
  readonly by: 'password' | 'token' | 'provider';
  readonly tokenId: number | null;
}

const BAD_TOKEN = 'Invalid Personal Access Token.';
const MAX_CREDENTIALS_LENGTH = 4096;
/** For service accounts: they belong to no source that could change. */
const NEVER_CHANGES: SourceSnapshot = { currentVersion: () => '', version: '' };

export function authenticator(parts: AuthenticationParts): Authenticate {
  const { config, users, tokens } = parts;
  const authConfigs = config.of('authConfigs');
  const passwords = parts.passwords ?? new PasswordLogins(parts);
  const checked = new CheckedCredentials(
    () => authConfigs.generation + users.generation + tokens.generation + parts.admittedAccounts.generation,
    ({ tokenId }) => {
      if (tokenId !== null) tokens.noteUse(tokenId);
    },
  );

  const { keyOf } = passwords;
  const underWay = new Map<string, Promise<Identity>>();

  return (header, address, connection) => {
    if (header === undefined) throw unauthenticated();
    const key = keyOf(header, address, connection);
    const known = checked.find(key);
    if (known && !isOver(known)) return known;
    const generation = checked.generation();
    // Concurrent requests with the same credentials share one check: it is slow by intention.
    return underWay.getOrInsertComputed(`${generation} ${key}`, (name) =>
      check(header, address, key)
        .then(
          ({ identity, snapshot }) => {
            checked.keep(key, identity, snapshot, generation);
            return identity;
          },
          (failure: unknown) => {
            if (isFailedLogin(failure)) parts.onFailedLogin?.({ ...claimed(header), address });
            throw failure;
          },
        )
        .finally(() => underWay.delete(name)),
    );
  };

  async function check(header: string, address: string, key: string): Promise<{ identity: Identity; snapshot: SourceSnapshot }> {
    const { scheme, credentials } = partsOf(header);
    switch (scheme) {
      case 'basic':
        return checkPassword(credentials, address, key);
      case 'bearer':
        return checkToken(credentials.trim(), address);
      default:
        throw unauthenticated();
    }
  }

  async function checkPassword(credentials: string, address: string, key: string) {
    const { login, password } = loginAndPassword(credentials);
    if (login === undefined) throw unauthenticated('Invalid basic authentication credentials specified in request.');
    const { identity, snapshot } = await passwords.check(login, password, { address, key });
    return { identity, snapshot };
  }

  async function checkToken(secret: string, address: string) {
    const token = tokens.findBySecret(secret);
    // A client at another address may have stolen the token: it must not learn that the token exists.
    if (!token || !isAllowedFrom(token, address)) throw unauthenticated(BAD_TOKEN);
    if (token.revoked_at) throw unauthenticated(`${BAD_TOKEN} Access token was revoked at: ${token.revoked_at}`);
    if (hasExpired(token, Date.now())) throw unauthenticated(`${BAD_TOKEN} Access token expired at: ${token.expires_at}`);
    const account = users.find(token.login_name);
    if (account?.serviceAccount && token.auth_config_id === NO_SOURCE) return admitted(token, account, NEVER_CHANGES);
    const id = token.auth_config_id;
    const source = passwords.sources().find((one) => one.id === id);
    if (!source) {
      throw unauthenticated(
        `Can not find authorization configuration "${id}" to which the requested personal access token belongs. Authorization Configuration "${id}" might have been renamed or deleted. Please revoke the existing token and create a new one for the same.`,
      );
    }
    const snapshot = passwords.snapshotOf(source);
    const user = users.find(token.login_name);
    if (user && !user.enabled) throw disabled();
    if (!user || user.serviceAccount || !(await isStillValidUser(source, token.login_name, parts))) {
      throw unauthenticated(`${BAD_TOKEN} Access Token belonging to the user has either been disabled, removed or expired.`);
    }
    return admitted(token, user, snapshot);
  }

  function admitted(token: Token, user: User, snapshot: SourceSnapshot): { identity: Identity; snapshot: SourceSnapshot } {
    if (!user.enabled) throw disabled();
    tokens.noteUse(token.id);
    const { loginName, displayName } = user;
    const identity: Identity = {
      loginName,
      displayName,
      tokenId: token.id,
      authConfigId: token.auth_config_id,
      ...limitsOf(token),
      use: tokens.useOf(token.id),
    };
    return { identity, snapshot };
  }

  /** The user, or the token and its user, that failed credentials name. */
  function claimed(header: string): Pick<FailedLogin, 'loginName' | 'by' | 'tokenId'> {
    const { scheme, credentials } = partsOf(header);
    if (scheme === 'basic') {
      const { login = '' } = loginAndPassword(credentials);
      return { loginName: users.find(login)?.loginName ?? null, by: 'password', tokenId: null };
    }
    const token = tokens.findBySecret(credentials.trim());
    return { loginName: token?.login_name ?? null, by: 'token', tokenId: token?.id ?? null };
  }
}

/** Its time may be over while its credentials are remembered. */
function isOver({ expiresAt }: Identity): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}

function isAllowedFrom(token: Token, address: string): boolean {
  const allowed = addressesOf(token);
  return allowed === null || addressList(allowed)(address);
}

function partsOf(header: string): { readonly scheme: string; readonly credentials: string } {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.*)$/.exec(header.slice(0, MAX_CREDENTIALS_LENGTH)) ?? [];
  return { scheme: scheme.toLowerCase(), credentials };
}

function loginAndPassword(credentials: string): { readonly login: string | undefined; readonly password: string } {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return { login: colon < 0 ? undefined : decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** A source that cannot be asked says nothing of the credentials. */
export function isFailedLogin(failure: unknown): boolean {
  return failure instanceof Refusal && (failure.kind === 'unauthenticated' || failure.kind === 'tooMany');
}
