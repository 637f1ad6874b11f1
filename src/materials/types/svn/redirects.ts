// Svn follows a redirect of its first request, and then sends the password to any server that asks for it there. So this server sends
// that request before svn does, and svn does not run at all when the answer redirects to another server.
import { readFileSync, statSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext, TLSSocket } from 'node:tls';
import { guardedConnection } from '../../../kit/network/guarded-lookup.ts';
import { ForbiddenAddress } from '../../../kit/network/reach.ts';
import { type Login, redactor } from '../../addresses/address.ts';
import { type TlsOptions, tlsFor } from '../../addresses/tls.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';

type RequestContext = Pick<PollContext, 'networkPolicy' | 'signal'> & { readonly tls: TlsOptions };

interface Answer {
  readonly status: number;
  /** The target of a redirect. */
  readonly location: string | undefined;
  readonly asksFor: string;
  /** Whether svn would accept its certificate, or it needs none. */
  readonly isTrusted: boolean;
}

const METHOD = 'OPTIONS';
/** The body of the first request that svn sends to a server. */
const REQUEST_BODY =
  '<?xml version="1.0" encoding="utf-8"?><D:options xmlns:D="DAV:"><D:activity-collection-set></D:activity-collection-set></D:options>';
/** Svn follows fewer. */
const MAX_REDIRECTS = 5;
const MAX_RESPONSE_MS = 30_000;
const UNAUTHORIZED = 401;
const ONLY_BASIC = /^basic\b(?!.*\b(?:digest|negotiate|ntlm)\b)/is;
const RULE = 'A password is sent only to the scheme, host and port it was entered for';
const NOT_PLAIN = 'The address does not say plainly which server the password is for. Write a host name or an IP address.';

/**
 * Rejects when the server of an address sends svn to another scheme, host or port. When a server does not answer, svn
 * reports it. The login is sent to this scheme, host and port only; without it some servers do not redirect.
 */
export async function mustStayAtServer(url: string, login: Login, secrets: readonly string[], context: PollContext): Promise<void> {
  const own = URL.parse(url);
  if (!own) throw new MaterialProblem(NOT_PLAIN);
  const { networkPolicy, limits } = context;
  const late = AbortSignal.timeout(Math.min(limits.responseTimeoutMs ?? limits.timeoutMs, MAX_RESPONSE_MS));
  const requestContext: RequestContext = { networkPolicy, signal: AbortSignal.any([context.signal, late]), tls: tlsFor(url, context) };
  let at = own;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await answerOf(at, login, requestContext);
    if (answer?.location === undefined) return;
    const next = URL.parse(answer.location, at.href);
    if (next?.origin !== own.origin) throw sentElsewhere(answer.isTrusted ? next : null, redactor(secrets));
    at = next;
  }
  throw new MaterialProblem(`The server redirects more than ${MAX_REDIRECTS} times. Enter the address at which the repository is now.`);
}

/** Sends the login when the server asks for basic authentication, as svn does. undefined: the server does not answer. */
async function answerOf(url: URL, login: Login, requestContext: RequestContext): Promise<Answer | undefined> {
  try {
    const answer = await ask(url, requestContext);
    const isAsked = answer.status === UNAUTHORIZED && ONLY_BASIC.test(answer.asksFor) && answer.isTrusted;
    return isAsked ? await ask(url, requestContext, basic(login)) : answer;
  } catch (failure) {
    if (failure instanceof ForbiddenAddress) throw new MaterialProblem(failure.message);
    // Trouble with the connection has a code; anything else is a mistake of ours, which must not let svn go on.
    if (failure instanceof Error && 'code' in failure && typeof failure.code === 'string') return undefined;
    throw failure;
  }
}

function ask(url: URL, { networkPolicy, signal, tls: { isChecked, caFile } }: RequestContext, authorization?: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = {
    method: METHOD,
    headers: {
      'user-agent': 'SVN/Slipway',
      'content-type': 'text/xml',
      'content-length': Buffer.byteLength(REQUEST_BODY),
      ...(authorization !== undefined && { authorization }),
    },
    signal,
    ...guardedConnection(url.hostname, networkPolicy),
  };
  // A redirect from any server counts, but the login is only sent to a server with a trusted certificate. New agents keep no connection,
  // and use no proxy of the environment, as svn uses none.
  const rejectUnauthorized = isChecked && authorization !== undefined;
  const sent =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, rejectUnauthorized, agent: new HttpsAgent({ secureContext: trusting(caFile) }) })
      : httpRequest(url, { ...options, agent: new HttpAgent() });
  sent.on('error', reject); // also after the answer, when the promise is settled
  sent.once('response', (response) => {
    resolve(answerIn(response, isChecked));
    response.on('error', () => {}); // all that counts is known
    response.destroy();
  });
  sent.end(REQUEST_BODY);
  return promise;
}

function answerIn({ statusCode: status = 0, headers, socket }: IncomingMessage, isChecked: boolean): Answer {
  return {
    status,
    location: status >= 300 && status < 400 ? headers.location : undefined,
    asksFor: headers['www-authenticate'] ?? '',
    isTrusted: !isChecked || !(socket instanceof TLSSocket) || socket.authorized,
  };
}

let kept: { readonly key: string; readonly context: SecureContext } | undefined;

/** Kept, for there are hundreds of authorities to be read. */
function trusting(caFile: string | undefined): SecureContext {
  const key = caFile === undefined ? '' : `${caFile} ${statSync(caFile).mtimeMs}`;
  if (kept?.key !== key) {
    const ca = caFile === undefined ? [...getCACertificates('default'), ...getCACertificates('system')] : readFileSync(caFile, 'utf8');
    kept = { key, context: createSecureContext({ ca }) };
  }
  return kept.context;
}

function basic({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
}

/** `to`: null when the target cannot be parsed, or the server that redirects is not trusted. */
function sentElsewhere(to: URL | null, redact: (text: string) => string): MaterialProblem {
  if (!to) return new MaterialProblem(`The server redirects to another one. ${RULE}: enter the address at which the repository is now.`);
  const address = redact(`${to.protocol}//${to.host}${to.pathname}`);
  return new MaterialProblem(`The server redirects to ${address}. ${RULE}: enter this address instead, and the password again.`);
}
