// Writes an answer to the wire.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesEtag } from '../shape/etag.ts';
import type { Answer } from './route.ts';

export interface ReplyFacts {
  readonly type: string;
  readonly requestId: string;
  readonly extra: readonly string[];
}

export const LONGEST_LINGERING_MS = 5_000;
const COMMON_HEADERS = [
  ['Cache-Control', 'max-age=0, private, must-revalidate'],
  ['Vary', 'Accept'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-XSS-Protection', '1; mode=block'],
  ['X-UA-Compatible', 'chrome=1'],
].flat();

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer, { type, requestId, extra }: ReplyFacts): void {
  if (response.destroyed) return;
  const { etag, text } = answer;
  const headers = [...COMMON_HEADERS, 'X-Request-Id', requestId];
  if (etag !== undefined) {
    headers.push('ETag', `"${etag}"`);
    const known = request.headers['if-none-match'];
    if (known !== undefined && isRead(request) && (known.trim() === '*' || namesEtag(known, etag))) {
      response.writeHead(304, headers);
      response.end();
      return;
    }
  }
  if (text !== undefined) headers.push('Content-Type', answer.type ?? type, 'Content-Length', String(answer.bytes));
  if (answer.revision !== undefined) headers.push('X-Svc-Revision', String(answer.revision));
  if (answer.headers) headers.push(...answer.headers);
  if (extra.length > 0) headers.push(...extra);
  response.writeHead(answer.status, headers);
  // Text that is as long in bytes as in characters is ASCII, which Node writes faster as Latin-1.
  if (!response.shouldKeepAlive && text !== undefined) endAfterBody(request, response, text);
  else if (text !== undefined && answer.bytes === text.length) response.end(text, 'latin1');
  else response.end(text);
}

/** Closing a connection on which the client still sends would cost it the answer: first what it sends is read, for a while. */
export function endAfterBody(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (request.complete) {
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
