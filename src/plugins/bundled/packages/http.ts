// GET requests to package repositories: to where they may go, with limits of time and size, and failures in words that hold nothing of the answer.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { NetworkPolicy, PollTools } from '../../../contracts/plugins/poll-tools.ts';
import { deadlineAfter, limitBytes, noAnswerOf, sendGuarded } from '../../../kit/network/guarded-request.ts';
import { ForbiddenAddress } from '../../../kit/network/reach.ts';
import { tracedCall } from '../../../kit/telemetry/scope.ts';
import { requirePace, TOO_SLOW } from './pace.ts';

export class HttpFailure extends Error {
  /** The status of the answer; undefined: the server did not answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the host of the address only, wherever that may redirect to. */
  readonly authorization?: string | undefined;
  /** Answers besides success that are wanted. */
  readonly alsoWanted?: readonly number[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent: to be read to the end, or destroyed. */
  readonly body: Readable;
  /** The requested address, even after redirects. */
  readonly url: URL;
  /** Until when it must be here. */
  readonly deadline: AbortSignal;
}

const MAX_SILENCE_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Throws HttpFailure unless the answer is wanted. */
export async function get(url: URL, request: HttpRequest, tools: PollTools): Promise<HttpAnswer> {
  const deadline = deadlineAfter(tools.limits.timeoutMs, tools.signal);
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const isAtHome = at.origin === url.origin;
    const response = await traced(at, request, isAtHome ? request.authorization : undefined, deadline, tools.networkPolicy).catch(
      (failure: unknown) => {
        if (failure instanceof ForbiddenAddress && redirects > 0) throw new HttpFailure(`${shown(url)} redirects to ${failure.kind}`);
        throw httpFailureOf(failure, url, deadline);
      },
    );
    tools.onActivity();
    const status = response.statusCode!;
    const { location } = response.headers;
    const next = REDIRECTS.has(status) && location !== undefined ? URL.parse(location, at.href) : null;
    if (next === null) return wanted({ status, headers: response.headers, body: response, url, deadline }, request);
    response.destroy();
    if (!isHttp(next)) throw new HttpFailure(`${shown(url)} leads to an address that is neither http nor https.`);
    if (redirects === MAX_REDIRECTS)
      throw new HttpFailure(`${shown(url)} leads from one address to the next, more than ${MAX_REDIRECTS} times.`);
    at = next;
  }
}

/** The body without the compression it was sent with, as long as it is not too large. */
export function contentOf(answer: HttpAnswer, tools: PollTools): AsyncGenerator<Buffer> {
  const { headers, body, url } = answer;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return limitAnswer(encoding === 'identity' ? body : unpacked(body, encoding, url), answer, tools);
}

/** The bytes of an answer, as long as it is not too large. */
export async function* limitAnswer(chunks: AsyncIterable<Buffer>, { url, deadline }: HttpAnswer, tools: PollTools): AsyncGenerator<Buffer> {
  const { maxBytes } = tools.limits;
  const tooLarge = () => new HttpFailure(`${shown(url)} is larger than ${maxBytes} bytes.`);
  try {
    yield* limitBytes(chunks, { maxBytes, tooLarge, onChunk: () => tools.onActivity() });
  } catch (failure) {
    throw httpFailureOf(failure, url, deadline);
  }
}

/** The tools with a lower limit, for answers that are never large. */
export function withMaxBytes(maxBytes: number, tools: PollTools): PollTools {
  const { signal, networkPolicy, limits } = tools;
  const { timeoutMs, maxBytes: limit } = limits;
  return { signal, networkPolicy, onActivity: () => tools.onActivity(), limits: { timeoutMs, maxBytes: Math.min(maxBytes, limit) } };
}

/** An address as it may be shown: its query can hold a secret. */
export function shown({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

export function lastModified(headers: IncomingHttpHeaders): Date | undefined {
  const time = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** As a part of the poll that asks. */
function traced(at: URL, request: HttpRequest, ...rest: Rest): Promise<IncomingMessage> {
  const { method = 'GET', headers } = request;
  return tracedCall(
    method,
    { 'http.request.method': method, 'server.address': at.hostname },
    (trace) => send(at, { ...request, headers: { ...headers, ...trace } }, ...rest),
    ({ statusCode }) => statusCode,
  );
}

type Rest = readonly [authorization: string | undefined, deadline: AbortSignal, networkPolicy: NetworkPolicy];

function send(
  url: URL,
  request: HttpRequest,
  authorization: string | undefined,
  signal: AbortSignal,
  networkPolicy: NetworkPolicy,
): Promise<IncomingMessage> {
  const { method = 'GET', headers = {} } = request;
  const onRequest = (sent: ClientRequest) => {
    sent.once('timeout', () => sent.destroy(new HttpFailure(`${shown(url)} sent nothing for ${MAX_SILENCE_MS / 1000} seconds.`)));
    requirePace(sent, () => new HttpFailure(`${shown(url)} ${TOO_SLOW}.`));
  };
  return sendGuarded(url, {
    method,
    headers: { 'user-agent': 'Slipway', ...headers, ...(authorization !== undefined && { authorization }) },
    signal,
    timeout: MAX_SILENCE_MS,
    networkPolicy,
    onRequest,
  });
}

function wanted(answer: HttpAnswer, { alsoWanted = [], authorization }: HttpRequest): HttpAnswer {
  const { status, url, body } = answer;
  if ((status >= 200 && status < 300) || alsoWanted.includes(status)) return answer;
  body.destroy();
  throw new HttpFailure(`${shown(url)} was answered with status ${status}${meaningOf(status, authorization !== undefined)}.`, status);
}

function meaningOf(status: number, wasAuthorized: boolean): string {
  if (status === 401 || status === 403) return wasAuthorized ? ': the credentials are wrong or do not suffice' : ': it needs credentials';
  return status === 404 ? ': there is no such thing' : '';
}

function unpacked(body: Readable, encoding: string, url: URL): Readable {
  const unpack = UNPACK[encoding];
  if (!unpack) {
    body.destroy();
    throw new HttpFailure(`${shown(url)} was sent with an encoding that was not asked for.`);
  }
  return pipeline(body, unpack(), () => {}); // failures come up where it is read
}

const UNPACK: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
export const ENCODINGS = 'gzip, deflate, br';

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Only the code or the short words of Node: they hold nothing of the request. */
function httpFailureOf(failure: unknown, url: URL, deadline: AbortSignal): unknown {
  if (failure instanceof HttpFailure) return failure;
  const none = noAnswerOf(failure, deadline);
  if (none.reason === 'forbidden') return new HttpFailure(none.message);
  if (none.reason !== 'connection')
    return new HttpFailure(`${shown(url)} ${none.reason === 'timeout' ? 'was not answered in time' : 'is not waited for any longer'}.`);
  const { code, message } = failure as NodeJS.ErrnoException;
  if (code === undefined) return failure;
  // The text after a semicolon is advice for the user who starts Node; after a colon there are names in the certificate.
  return new HttpFailure(`${shown(url)} cannot be read: ${code}${isAboutTls(code) ? ` (${message.split(/[;:]/)[0]})` : ''}.`);
}

function isAboutTls(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|TLS|SSL/.test(code);
}
