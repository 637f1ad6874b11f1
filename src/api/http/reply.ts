// Writes an answer to the wire.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { namesEtag } from '../../shape/json/etag.ts';
import type { Answer, Route } from '../engine/route.ts';
import { acceptsGzip, compressed, isCompressible, withoutLength as lengthless, mayCompress } from './compression.ts';

export interface ReplyFacts {
  readonly type: string;
  readonly requestId: string;
  readonly extra: readonly string[];
  /** The one that answers; undefined: none was found. */
  readonly route: Route | undefined;
}

export const MAX_LINGERING_MS = 5_000;
const DEFAULT_CACHE_CONTROL = 'max-age=0, private, must-revalidate';

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer, facts: ReplyFacts): void {
  const { etag, body } = answer;
  if (response.destroyed) {
    discard(body);
    return;
  }
  const headers = commonHeaders(answer.cacheControl ?? DEFAULT_CACHE_CONTROL, facts.requestId);
  const isPacked = wantsGzip(request, facts.route) && isCompressible(answer, facts.type);
  if (etag !== undefined) {
    const quoted = `"${etag}"`;
    // Compressed or not, it is the same version: clients compare it with the ETag they got for a write.
    headers.push('ETag', quoted);
    const known = request.headers['if-none-match'];
    if (known !== undefined && isRead(request) && (known === quoted || known.trim() === '*' || namesEtag(known, etag))) {
      response.writeHead(304, headers);
      response.end();
      discard(body);
      return;
    }
  }
  if (isPacked) sendPacked(request, response, answer, headers, facts);
  else sendPlain(request, response, answer, headers, facts);
}

function sendPlain(request: IncomingMessage, response: ServerResponse, answer: Answer, headers: string[], facts: ReplyFacts): void {
  const { text, body } = answer;
  if (text !== undefined) headers.push('Content-Type', answer.type ?? facts.type, 'Content-Length', String(answer.bytes));
  else if (body !== undefined) {
    headers.push('Content-Type', answer.type ?? facts.type);
    if (body instanceof Uint8Array) headers.push('Content-Length', String(body.length));
  }
  if (answer.revision !== undefined) headers.push('X-Svc-Revision', String(answer.revision));
  if (answer.headers) headers.push(...answer.headers);
  if (facts.extra.length > 0) headers.push(...facts.extra);
  response.writeHead(answer.status, headers);
  if (body !== undefined) {
    sendBody(request, response, body);
    return;
  }
  // Text that is as long in bytes as in characters is ASCII, which Node writes faster as Latin-1.
  if (!response.shouldKeepAlive && text !== undefined) endAfterBody(request, response, text);
  else if (text !== undefined && answer.bytes === text.length) response.end(text, 'latin1');
  else response.end(text);
}

/** For `HEAD` nothing is compressed only to state its length. */
function sendPacked(request: IncomingMessage, response: ServerResponse, answer: Answer, headers: string[], facts: ReplyFacts): void {
  if (request.method === 'HEAD') {
    const { text: _, bytes: __, body, ...others } = answer;
    discard(body);
    headers.push('Content-Type', answer.type ?? facts.type, 'Content-Encoding', 'gzip');
    sendPlain(request, response, { ...others, headers: lengthless(answer.headers ?? []) }, headers, facts);
    return;
  }
  compressed(answer).then(
    (packed) => {
      if (response.destroyed) discard(packed.body);
      else sendPlain(request, response, packed, headers, facts);
    },
    // No memory for it: the client sees the connection end.
    () => response.destroy(),
  );
}

function discard(body: Answer['body']): void {
  if (body !== undefined && !(body instanceof Uint8Array)) body.destroy();
}

// biome-ignore format: a name and its value on each line
function commonHeaders(cacheControl: string, requestId: string): string[] {
  return [
    'Cache-Control', cacheControl,
    'Vary', 'Accept, Accept-Encoding',
    'X-Content-Type-Options', 'nosniff',
    'X-Frame-Options', 'SAMEORIGIN',
    'X-XSS-Protection', '1; mode=block',
    'X-UA-Compatible', 'chrome=1',
    'X-Request-Id', requestId,
  ];
}

function sendBody(request: IncomingMessage, response: ServerResponse, body: Uint8Array | Readable): void {
  if (body instanceof Uint8Array) {
    response.end(body);
  } else if (request.method === 'HEAD') {
    body.destroy();
    response.end();
  } else {
    // A failure from here on can only be reported by ending the answer early, which `pipeline` does.
    pipeline(body, response, () => {});
  }
}

/** Closing a connection on which the client still sends would cost it the answer: first the rest of its body is read, for a while. */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (request.complete || request.readableEnded) {
    response.end(text);
    return;
  }
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, MAX_LINGERING_MS);
  response.write(text);
  request.once('end', end).once('close', end).resume();
}

/** Only answers to reads: those to writes are short, and may hold a secret that was just generated. */
function wantsGzip(request: IncomingMessage, route: Route | undefined): boolean {
  const header = request.headers['accept-encoding'];
  return header !== undefined && route !== undefined && isRead(request) && acceptsGzip(header) && mayCompress(route);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
