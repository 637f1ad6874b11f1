// Writes an answer to the wire.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { namesEtag } from '../../shape/json/etag.ts';
import type { Answer } from '../engine/route.ts';

export interface ReplyFacts {
  readonly type: string;
  readonly requestId: string;
  readonly extra: readonly string[];
}

export const LONGEST_LINGERING_MS = 5_000;
const USUAL_CACHE_CONTROL = 'max-age=0, private, must-revalidate';

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer, { type, requestId, extra }: ReplyFacts): void {
  const { etag, text, body } = answer;
  if (response.destroyed) {
    if (body && 'destroy' in body) body.destroy();
    return;
  }
  const headers = commonHeaders(answer.cacheControl ?? USUAL_CACHE_CONTROL, requestId);
  if (etag !== undefined) {
    const quoted = `"${etag}"`;
    headers.push('ETag', quoted);
    const known = request.headers['if-none-match'];
    if (known !== undefined && isRead(request) && (known === quoted || known.trim() === '*' || namesEtag(known, etag))) {
      response.writeHead(304, headers);
      response.end();
      if (body !== undefined && !(body instanceof Uint8Array)) body.destroy();
      return;
    }
  }
  if (text !== undefined) headers.push('Content-Type', answer.type ?? type, 'Content-Length', String(answer.bytes));
  else if (body !== undefined) {
    headers.push('Content-Type', answer.type ?? type);
    if (body instanceof Uint8Array) headers.push('Content-Length', String(body.length));
  }
  if (answer.revision !== undefined) headers.push('X-Svc-Revision', String(answer.revision));
  if (answer.headers) headers.push(...answer.headers);
  if (extra.length > 0) headers.push(...extra);
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

// biome-ignore format: a name and its value on each line
function commonHeaders(cacheControl: string, requestId: string): string[] {
  return [
    'Cache-Control', cacheControl,
    'Vary', 'Accept',
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
    // What goes wrong from here on can only be told by ending the answer early, which `pipeline` does.
    pipeline(body, response, () => {});
  }
}

/** Closing a connection on which the client still sends would cost it the answer: first what it sends is read, for a while. */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (request.complete || request.readableEnded) {
    response.end(text);
    return;
  }
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LONGEST_LINGERING_MS);
  response.write(text);
  request.once('end', end).once('close', end).resume();
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
