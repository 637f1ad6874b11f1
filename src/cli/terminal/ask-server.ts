// Asks a server that runs, and says in plain words when it does not answer as it should.
import { headerText, type Method, prepareRequest } from '../../../client/request.ts';
import { untimelyCertificate, untrustedCertificate } from '../../kit/network/untrusted-certificate.ts';
import { CommandFailed, kindOfStatus, refusalText, Unreachable } from './failures.ts';
import type { RemoteServer } from './target.ts';

export type AnswerBody = Readonly<Record<string, unknown>>;

const UNAUTHENTICATED = 401;
/** Only such text fits into a header; `fetch` would quote any other, with the token, in its error. */
const SENDABLE = /^[ -~]*$/;
/** The server's general words about a wrong login; others say more than that. */
const GENERAL = /^(?:Invalid credentials\.|Invalid Personal Access Token\.$|You are not authenticated)/;

export async function askServer(server: RemoteServer, path: string, ask: RequestInit = {}): Promise<Response> {
  const { url, authorization, caFile } = server;
  if (caFile !== undefined) await (await import('./trust.ts')).trustAuthority(caFile);
  if (!SENDABLE.test(authorization))
    throw new CommandFailed(`Login to ${url} failed: the access token has characters that no token has, such as a line break.`, {
      kind: 'denied',
    });
  const headers = new Headers(ask.headers);
  headers.set('Authorization', authorization);
  // `fetch` keeps the login from another host, but not the body, nor headers of ours such as the key of an imported file.
  const redirect = (ask.method ?? 'GET') === 'GET' ? 'follow' : 'manual';
  const response = await fetch(`${url}${path}`, { ...ask, headers, redirect }).catch(async (failure: Error) => {
    throw unreachable(await redirectedTo(url, path), (failure.cause as NodeJS.ErrnoException | undefined) ?? failure);
  });
  const target = redirect === 'manual' ? targetOf(response, url) : undefined;
  if (target) throw redirected(target.origin, server);
  if (response.status === UNAUTHENTICATED) throw await wrongLogin(response, server);
  return response;
}

function unreachable(address: string, failure: NodeJS.ErrnoException): CommandFailed {
  const untrusted = untrustedCertificate(failure);
  if (untrusted === undefined) return new Unreachable(`${address} cannot be reached: ${untimelyCertificate(failure) ?? failure.message}`);
  return new CommandFailed(`${address} cannot be reached: ${untrusted}, or give it as --ca-file.`, { kind: 'unavailable' });
}

/** The address that a request really went to: errors of `fetch` do not contain it. */
async function redirectedTo(url: string, path: string): Promise<string> {
  // Only plain HTTP is commonly redirected, and another request to it costs nothing.
  if (!url.startsWith('http:')) return url;
  const response = await fetch(`${url}${path}`, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined);
  const target = response && targetOf(response, url);
  return target ? movedTo(target.origin, url) : url;
}

/** Where an answer redirects to; undefined: it does not. */
function targetOf({ status, headers }: Response, url: string): URL | undefined {
  const location = status >= 300 && status < 400 ? headers.get('Location') : null;
  return location === null ? undefined : (URL.parse(location, url) ?? undefined);
}

function redirected(origin: string, { url }: RemoteServer): CommandFailed {
  return new CommandFailed(`${url} redirects to ${movedTo(origin, url)}: give that address as --url.`);
}

/** The context path of an address, at another origin. */
function movedTo(origin: string, url: string): string {
  return `${origin}${new URL(url).pathname.replace(/\/$/, '')}`;
}

/** In one line. */
async function wrongLogin(response: Response, server: RemoteServer): Promise<CommandFailed> {
  const { origin } = new URL(response.url);
  // `fetch` sends a login to no other host or port.
  if (origin !== new URL(server.url).origin) return redirected(origin, server);
  const message = String((await answerOf(response, server)).message);
  const byToken = server.authorization.startsWith('bearer ');
  const why = GENERAL.test(message) ? `the ${byToken ? 'access token' : 'user name or the password'} is wrong.` : message;
  return new CommandFailed(`Login to ${server.url} failed: ${why}`, { kind: 'denied' });
}

/** The JSON of an answer. */
export async function answerOf<T = AnswerBody>(response: Response, { url }: RemoteServer): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw new Unreachable(`${url} cannot be reached: its answer was cut off`);
    throw new CommandFailed(`${url} does not answer as a Slipway server does (${response.status}).`);
  }
}

/** An answer that must be a success. */
export async function acceptedBy(server: RemoteServer, path: string, ask?: RequestInit): Promise<Response> {
  const response = await askServer(server, path, ask);
  if (!response.ok) throw refusalOf(response, await answerOf(response, server), server);
  return response;
}

/** The JSON of an answer that must be a success. */
export async function fetchJson<T = AnswerBody>(server: RemoteServer, path: string, ask?: RequestInit): Promise<T> {
  return answerOf<T>(await acceptedBy(server, path, ask), server);
}

/** Why it did not do it. */
export function refusalOf({ status }: Response, { message }: AnswerBody, { url }: RemoteServer): CommandFailed {
  return new CommandFailed(refusalText(url, status, message), { kind: kindOfStatus(status) });
}

export function sending(method: Method, body: unknown, reason?: string): RequestInit {
  return prepareRequest({ method, body, reason });
}

/** A write that says nothing but that it is meant. */
export const CONFIRMED: RequestInit = prepareRequest({ method: 'POST' });

/** Of a request that is put together elsewhere. */
export function reasonHeader(reason: string): Readonly<Record<string, string>> {
  return { 'X-Svc-Reason': headerText(reason) };
}
