// The one place that speaks OAuth 2.0 and OpenID Connect, through their libraries. It is loaded when it is first used.
import { createRemoteJWKSet, jwtVerify, customFetch as keysFetch } from 'jose';
import * as client from 'openid-client';
import { LoginFailure, type LoginReturn, type LoginStart, type LogoutNotice } from '../../../../contracts/plugins/web-login.ts';
import { isOnThisMachine, mustBeOneIssuer } from './provider-address.ts';
import { providerFetch } from './provider-fetch.ts';

/** A provider, and how this server is known to it. */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

export interface Discovery extends Registration {
  readonly issuer: URL;
}

export interface Endpoints extends Registration {
  readonly issuer: URL;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
}

/** A provider that can be used: its metadata, and its keys as far as they were fetched. */
export interface Provider {
  readonly config: client.Configuration;
  readonly scope: string;
  readonly keys: ReturnType<typeof createRemoteJWKSet> | undefined;
}

export interface Tokens {
  readonly accessToken: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string;
}

/** The algorithms of signatures by a key of the provider; a shared secret, or no signature at all, does not count. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^Ed(?:DSA|25519)$/;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_CLAIM_LENGTH = 64 * 1024;
const CLOCK_TOLERANCE_SECONDS = 60;
/** Logout tokens live for minutes; one that names no end, or a far one, is not kept in mind for longer. */
const LOGOUT_TOKEN_SECONDS = 10 * 60;

/** Reads the metadata of the provider. Its issuer must be exactly the requested one. */
export async function discover(discovery: Discovery): Promise<Provider> {
  const { issuer, clientId, scope } = discovery;
  return withExplainedFailures(async () => {
    const config = await client.discovery(issuer, clientId, metadataOf(discovery), authenticationOf(discovery), {
      [client.customFetch]: libraryFetch,
      ...(isOnThisMachine(issuer) && { execute: [client.allowInsecureRequests] }),
    });
    const { issuer: itself, id_token_signing_alg_values_supported: algorithms = [], jwks_uri: keysUri } = config.serverMetadata();
    mustBeOneIssuer(itself);
    if (!algorithms.some((algorithm) => ASYMMETRIC.test(algorithm)))
      throw new LoginFailure('invalid', 'The provider signs ID tokens with no key pair.');
    if (keysUri === undefined) throw new LoginFailure('invalid', 'The provider does not say where its keys are (jwks_uri).');
    client.enableNonRepudiationChecks(config);
    return { config, scope, keys: createRemoteJWKSet(new URL(keysUri), { [keysFetch]: libraryFetch }) };
  });
}

/** Makes a provider without discovery and ID tokens from its endpoints. */
export function known(endpoints: Endpoints): Provider {
  const { issuer, clientId, scope } = endpoints;
  const metadata = {
    issuer: issuer.href,
    authorization_endpoint: endpoints.authorizationEndpoint,
    token_endpoint: endpoints.tokenEndpoint,
  };
  const config = new client.Configuration(metadata, clientId, metadataOf(endpoints), client.ClientSecretPost(endpoints.clientSecret));
  config[client.customFetch] = libraryFetch;
  if (isOnThisMachine(issuer)) client.allowInsecureRequests(config);
  return { config, scope, keys: undefined };
}

/** The page of the provider on which the user logs in. */
export function loginPage({ config, scope, keys }: Provider, { redirectUri, state, nonce, codeChallenge }: LoginStart): URL {
  return client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(keys && { nonce }),
  });
}

/** Trades the code for tokens: state, issuer and verifier are checked, and of an ID token its signature, issuer, audience, times and nonce. */
export async function tokensOf({ config, keys }: Provider, { callback, state, nonce, codeVerifier }: LoginReturn): Promise<Tokens> {
  return withExplainedFailures(async () => {
    const answer = await client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      pkceCodeVerifier: codeVerifier,
      ...(keys && { expectedNonce: nonce, idTokenExpected: true }),
    });
    const { access_token: accessToken, id_token: idToken = '' } = answer;
    const claims = answer.claims();
    if (claims && claims.azp !== undefined && claims.azp !== config.clientMetadata().client_id)
      throw new LoginFailure('invalid', 'The ID token was issued to another client (azp).');
    return { accessToken, claims: claims ?? {}, idToken };
  });
}

/** The claims of the user from the userinfo endpoint; empty: the provider has no such endpoint. */
export async function moreClaims({ config }: Provider, accessToken: string, subject: string): Promise<Readonly<Record<string, unknown>>> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  return withExplainedFailures(() => client.fetchUserInfo(config, accessToken, subject));
}

export function logoutPage({ config }: Provider, idToken: string, returnTo: string): URL | undefined {
  if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
  return client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: returnTo,
    ...(idToken !== '' && { id_token_hint: idToken }),
  });
}

/** OpenID Connect Back-Channel Logout 1.0, 2.6. */
export async function readLogoutToken({ config, keys }: Provider, token: string): Promise<LogoutNotice> {
  const { issuer, id_token_signing_alg_values_supported: named = [] } = config.serverMetadata();
  if (!keys || token.length > MAX_CLAIM_LENGTH) throw new LoginFailure('invalid', 'The logout token cannot be checked.');
  return withExplainedFailures(async () => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: config.clientMetadata().client_id,
      algorithms: named.filter((algorithm) => ASYMMETRIC.test(algorithm)),
      requiredClaims: ['iat', 'jti', 'events'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
    });
    const { events, jti, sub, sid } = payload;
    const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
    const sessionId = typeof sid === 'string' && sid !== '' ? sid : undefined;
    if (typeof events !== 'object' || events === null || !(LOGOUT_EVENT in events))
      throw new LoginFailure('invalid', 'The token does not announce a logout (events).');
    if ('nonce' in payload) throw new LoginFailure('invalid', 'A logout token must have no nonce: this is an ID token.');
    if (subject === undefined && sessionId === undefined)
      throw new LoginFailure('invalid', 'The logout token names neither a user (sub) nor a session (sid).');
    const until = (payload.iat! + LOGOUT_TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1000;
    return { id: jti!, expiresAt: until, subject, sessionId };
  });
}

function metadataOf({ clientSecret }: Registration): Partial<client.ClientMetadata> {
  return { ...(clientSecret !== '' && { client_secret: clientSecret }), [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
}

/** A client without a secret is protected by PKCE alone. Otherwise the header is used, unless the provider takes the secret in the body only. */
function authenticationOf({ clientSecret }: Registration): client.ClientAuth {
  if (clientSecret === '') return client.None();
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const isInBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    const authenticate = isInBody ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret);
    authenticate(server, ...rest);
  };
}

/** The form in which both libraries ask. */
function libraryFetch(url: string, { method, headers, body, signal }: LibraryRequest): Promise<Response> {
  return providerFetch(url, { method, headers: Object.fromEntries(new Headers(headers)), body: textOf(body), signal });
}

interface LibraryRequest {
  readonly method: string;
  readonly headers: Headers | Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Requests to providers have a text or a form as their body.');
}

/** Failures of the libraries in words of ours: theirs may carry whole answers along. */
async function withExplainedFailures<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    throw loginFailureOf(failure);
  }
}

function loginFailureOf(failure: unknown): LoginFailure {
  for (let cause: unknown = failure; cause instanceof Error; cause = cause.cause) if (cause instanceof LoginFailure) return cause;
  if (failure instanceof client.AuthorizationResponseError)
    return new LoginFailure('denied', `The provider refused: ${named(failure.error)}.`);
  if (failure instanceof client.ResponseBodyError) return new LoginFailure('invalid', `The provider refused: ${named(failure.error)}.`);
  const { code, message } = detailed(failure);
  return new LoginFailure('invalid', `${message} (${code ?? 'no code'})`);
}

interface CodedFailure {
  readonly code?: string;
  readonly message: string;
}

/** The library's own cause is more precise. Nothing deeper: that may repeat parts of the answer. */
function detailed(failure: unknown): CodedFailure {
  const { cause } = failure as { readonly cause?: Partial<CodedFailure> };
  return cause?.code?.startsWith('OAUTH_') && cause.message !== undefined
    ? { code: cause.code, message: cause.message }
    : (failure as CodedFailure);
}

/** The codes of the standard are words; anything else is not repeated. */
function named(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'with an error of its own';
}
