// Calls of the HTTP interfaces of clusters: over TCP, TLS or a socket of this machine, with limits of time and size, and failures in words without secrets.
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ClusterTools } from '../../../../contracts/plugins/elastic-agent.ts';
import { deadlineAfter, noAnswerOf, readBody, sendGuarded } from '../../../../kit/network/guarded-request.ts';
import { namesLoopback } from '../../../../kit/network/names-loopback.ts';
import type { NetworkPolicy } from '../../../../kit/network/reach.ts';
import { trustTheSystem } from '../../../../kit/network/system-trust.ts';
import { tracedCall } from '../../../../kit/telemetry/scope.ts';
import { truncate } from '../../../../kit/text/truncate.ts';
import { ClusterFailure } from './cluster-failure.ts';

/** Where a cluster answers. */
export interface ApiEndpoint {
  /** The path of a socket of this machine; the URL then has only the path of the request. */
  readonly socketPath?: string;
  readonly url: URL;
  /** The authorities that are trusted beside or instead of those of the system, and the certificate of this server. All in PEM form. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the path of the endpoint; each part of it is encoded already. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Answers besides success that are wanted. */
  readonly alsoWanted?: readonly number[];
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 ** 2;
const MAX_REASON_LENGTH = 300;

/** Throws ClusterFailure unless the answer is wanted. */
export async function call(endpoint: ApiEndpoint, request: ApiCall, tools: ClusterTools): Promise<ApiAnswer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, method } = request;
  const deadline = deadlineAfter(timeoutMs, tools.signal);
  const answer = await tracedCall(
    method,
    { 'http.request.method': method, 'server.address': endpoint.socketPath ?? endpoint.url.hostname },
    (trace) => send(endpoint, request, trace, deadline, tools),
    ({ status }) => status,
  ).catch((failure: unknown) => {
    throw clusterFailureOf(failure, endpoint, deadline);
  });
  if ((answer.status >= 200 && answer.status < 300) || request.alsoWanted?.includes(answer.status)) return answer;
  throw new ClusterFailure(`${shown(endpoint)} refused: ${reasonIn(answer)}`, answer.status);
}

/** An answer that is not JSON is a proxy's, or some other program's. */
export function jsonOf(answer: ApiAnswer, endpoint: ApiEndpoint): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new ClusterFailure(`${shown(endpoint)} answered with something that is not JSON.`);
  }
}

function shown({ socketPath, url }: ApiEndpoint): string {
  return socketPath ?? url.origin;
}

async function send(endpoint: ApiEndpoint, request: ApiCall, trace: object, signal: AbortSignal, tools: ClusterTools): Promise<ApiAnswer> {
  const { socketPath, url, headers } = endpoint;
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const search = new URLSearchParams(request.query).toString();
  // The origin alone: credentials in the address are not sent.
  const response = await sendGuarded(new URL(url.origin), {
    method: request.method,
    path: `${url.pathname.replace(/\/$/, '')}${request.path}${search === '' ? '' : `?${search}`}`,
    headers: {
      host: socketPath === undefined ? url.host : 'localhost',
      'user-agent': 'Slipway',
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
      ...trace,
      ...headers,
      ...request.headers,
    },
    body,
    signal,
    socketPath,
    networkPolicy: networkPolicyFor(url, tools),
    secureContext: () => trusting(endpoint),
  });
  const tooLarge = () => new ClusterFailure(`${shown(endpoint)} answered with more than ${MAX_BYTES / 1024 ** 2} MiB.`);
  const content = await readBody(response, { maxBytes: MAX_BYTES, tooLarge });
  return { status: response.statusCode ?? 0, text: content.toString('utf8') };
}

/** Docker is often on the same machine. Only administrators may say so, but another name can lead here as well. */
function networkPolicyFor({ hostname }: URL, { networkPolicy }: ClusterTools): NetworkPolicy {
  return namesLoopback(hostname) ? { ...networkPolicy, loopback: undefined } : networkPolicy;
}

function trusting({ tls }: ApiEndpoint): SecureContext {
  if (!tls || Object.values(tls).every((one) => one === undefined)) return trustTheSystem();
  try {
    return createSecureContext({ ...tls, minVersion: 'TLSv1.2' });
  } catch {
    throw new ClusterFailure(
      'The certificates and the key of the cluster profile cannot be used: each must be in PEM form, and they must belong together.',
    );
  }
}

/** Docker and Kubernetes both give the reason as `message`. Administrators and users who may view the job read it. */
function reasonIn({ status, text }: ApiAnswer): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string' && message.trim() !== '')
      return `${truncate(message.trim().replace(/\s+/g, ' '), MAX_REASON_LENGTH)} (status ${status}).`;
  } catch {
    // it says nothing that could be shown
  }
  return `status ${status}.`;
}

/** Only the code of Node: it holds nothing of the request. */
function clusterFailureOf(failure: unknown, endpoint: ApiEndpoint, deadline: AbortSignal): ClusterFailure {
  if (failure instanceof ClusterFailure) return failure;
  const none = noAnswerOf(failure, deadline);
  if (none.reason === 'forbidden') return new ClusterFailure(none.message);
  if (none.reason === 'connection')
    return new ClusterFailure(`${shown(endpoint)} cannot be reached: ${none.code ?? (failure as Error).message}.`);
  return new ClusterFailure(`${shown(endpoint)} ${none.reason === 'timeout' ? 'did not answer in time' : 'is not waited for any longer'}.`);
}
