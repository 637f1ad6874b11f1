// Tells from the Authorization header who is asking, or refuses.
import { Refusal } from '../../kit/refusal.ts';
import { loginKey, normalLogin } from '../../shape/login-name.ts';
import type { Identity } from '../identity.ts';
import type { Tokens } from '../users/tokens.ts';
import { newUser, type Users } from '../users/users.ts';
import { admittedUser } from './admitted-user.ts';
import { CheckedCredentials, type FreshSource } from './checked-credentials.ts';
import { keysByConnection } from './credential-keys.ts';
import { LoginGuard } from './login-guard.ts';
import { type LoginSource, type LoginSourceParts, loginSourcesOf } from './login-sources.ts';
import { disabled, unauthenticated } from './refusals.ts';

/** `connection` is any object that stands for the client's connection. */
export type Authenticate = (header: string | undefined, address: string, connection: object) => Identity | Promise<Identity>;

export interface AuthenticationParts extends LoginSourceParts {
  readonly users: Users;
  readonly tokens: Tokens;
  onBrokenSource(authConfigId: string, failure: unknown): void;
  /** Somebody gave credentials that do not count. */
  onFailedLogin?(failed: FailedLogin): void;
}

export interface FailedLogin {
  /** The user whose name was given, or whose token it is; null when there is none. */
  readonly loginName: string | null;
  readonly address: string;
  readonly by: 'password' | 'token';
  readonly tokenId: number | null;
}

const BAD_CREDENTIALS =
  'Invalid credentials. Either your username and password are incorrect, or there is a problem with your browser cookies. Please check with your administrator.';
const BAD_TOKEN = 'Invalid Personal Access Token.';
const LONGEST_CREDENTIALS = 4096;

export function authenticator(parts: AuthenticationParts): Authenticate {
  const { config, users, tokens } = parts;
  const authConfigs = config.of('authConfigs');
  const guard = new LoginGuard();
  const sources = loginSourcesOf(parts);
  const checked = new CheckedCredentials(
    () => authConfigs.generation + users.generation + tokens.generation,
    ({ tokenId }) => {
      if (tokenId !== null) tokens.noteUse(tokenId);
    },
  );

  const keyOf = keysByConnection();
  const underWay = new Map<string, Promise<Identity>>();

  return (header, address, connection) => {
    if (header === undefined) throw unauthenticated();
    const key = keyOf(header, address, connection);
    const known = checked.find(key);
    if (known) return known;
    const world = checked.world();
    // Those who come with the same credentials at the same time share one check: it takes its time by intention.
    return underWay.getOrInsertComputed(`${world} ${key}`, (name) =>
      check(header, address, key)
        .then(
          ({ identity, source }) => {
            checked.keep(key, identity, source, world);
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

  async function check(header: string, address: string, key: string): Promise<{ identity: Identity; source: FreshSource }> {
    const { scheme, credentials } = partsOf(header);
    switch (scheme) {
      case 'basic':
        return checkPassword(credentials, address, key);
      case 'bearer':
        return checkToken(credentials.trim());
      default:
        throw unauthenticated();
    }
  }

  async function checkPassword(credentials: string, address: string, key: string) {
    const { login, password } = loginAndPassword(credentials);
    if (login === undefined) throw unauthenticated('Invalid basic authentication credentials specified in request.');
    const known = await guard.run({ login: loginKey(login), address, key }, () => askSources(normalLogin(login), password));
    if (!known) throw unauthenticated(BAD_CREDENTIALS);
    const { source, fresh, found } = known;
    const user = await admit(source, normalLogin(found.loginName), found.displayName, found.email);
    const identity = { loginName: user.loginName, displayName: user.displayName, tokenId: null, authConfigId: source.id };
    return { identity, source: fresh };
  }

  /** The first source that knows somebody by this password. */
  async function askSources(login: string, password: string) {
    for (const source of sources()) {
      const fresh = freshSource(source);
      const found = await ask(source, login, password);
      if (found) return { source, fresh, found };
    }
    return undefined;
  }

  /** A source that is broken or out of reach must not lock out the users of the others. */
  async function ask(source: LoginSource, login: string, password: string) {
    try {
      return await source.plugin.authenticate(login, password, source.settings, parts.host);
    } catch (failure) {
      parts.onBrokenSource(source.id, failure);
      return undefined;
    }
  }

  async function admit(source: LoginSource, loginName: string, displayName: string, email: string | undefined) {
    const { onlyKnownUsers } = source;
    const admitted = () =>
      admittedUser(users.find(loginName), newUser(loginName, displayName, email), {
        onlyKnownUsers,
        lookAlike: users.findLookAlike(loginName),
      });
    const user = admitted();
    if (user === users.find(loginName)) return user;
    const [written] = await users.change(() => [admitted()]);
    return written;
  }

  async function checkToken(secret: string) {
    const token = tokens.findBySecret(secret);
    if (!token) throw unauthenticated(BAD_TOKEN);
    if (token.revoked_at) throw unauthenticated(`${BAD_TOKEN} Access token was revoked at: ${token.revoked_at}`);
    const id = token.auth_config_id;
    const source = sources().find((one) => one.id === id);
    if (!source) {
      throw unauthenticated(
        `Can not find authorization configuration "${id}" to which the requested personal access token belongs. Authorization Configuration "${id}" might have been renamed or deleted. Please revoke the existing token and create a new one for the same.`,
      );
    }
    const fresh = freshSource(source);
    const user = users.find(token.login_name);
    if (user && !user.enabled) throw disabled();
    if (!user || !(await isStillUser(source, token.login_name))) {
      throw unauthenticated(`${BAD_TOKEN} Access Token belonging to the user has either been disabled, removed or expired.`);
    }
    tokens.noteUse(token.id);
    const identity = { loginName: user.loginName, displayName: user.displayName, tokenId: token.id, authConfigId: id };
    return { identity, source: fresh };
  }

  async function isStillUser(source: LoginSource, login: string): Promise<boolean> {
    try {
      return await source.plugin.isUser(login, source.settings, parts.host);
    } catch (failure) {
      parts.onBrokenSource(source.id, failure);
      throw new Refusal(
        'unavailable',
        `The authorization configuration '${source.id}' cannot be asked about this user now. Try again later.`,
        { retryAfter: 10 },
      );
    }
  }

  /** Whom somebody claims to be. */
  function claimed(header: string): Pick<FailedLogin, 'loginName' | 'by' | 'tokenId'> {
    const { scheme, credentials } = partsOf(header);
    if (scheme === 'basic') {
      const { login = '' } = loginAndPassword(credentials);
      return { loginName: users.find(login)?.loginName ?? null, by: 'password', tokenId: null };
    }
    const token = tokens.findBySecret(credentials.trim());
    return { loginName: token?.login_name ?? null, by: 'token', tokenId: token?.id ?? null };
  }

  function freshSource({ plugin, settings }: LoginSource): FreshSource {
    const freshness = () => plugin.freshness?.(settings, parts.host) ?? '';
    return { freshness, freshAs: freshness() };
  }
}

function partsOf(header: string): { readonly scheme: string; readonly credentials: string } {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.*)$/.exec(header.slice(0, LONGEST_CREDENTIALS)) ?? [];
  return { scheme: scheme.toLowerCase(), credentials };
}

function loginAndPassword(credentials: string): { readonly login: string | undefined; readonly password: string } {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return { login: colon < 0 ? undefined : decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** A source that cannot be asked says nothing of the credentials. */
function isFailedLogin(failure: unknown): boolean {
  return failure instanceof Refusal && (failure.kind === 'unauthenticated' || failure.kind === 'tooMany');
}
