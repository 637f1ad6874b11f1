// Compresses answers for clients that ask for it, in the threads of zlib: never on the event loop.
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { Answer, Route } from '../engine/route.ts';

/** A smaller body fits into one packet anyway. */
const MIN_BYTES = 1024;
/** Fast: higher levels cost several times as much for a few per cent. */
const LEVEL = 4;
/** The fastest: a client that reads a stream waits while it is compressed. */
const STREAM_LEVEL = 1;
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-ndjson)\b|image\/svg\+xml)/i;

const zip = promisify(gzip);

/** The sessions of browsers: their answers hold tokens beside values from the request. */
const OF_SESSIONS = /^\/(?:api\/session|auth)(?:\/|$)/;

/** Whether the length of its answers betrays nothing. */
export function mayCompress({ path, isNeverCompressed }: Pick<Route, 'path' | 'isNeverCompressed'>): boolean {
  return !isNeverCompressed && !OF_SESSIONS.test(path);
}

/** Whether a header of the request allows gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  // Most browsers and programs say one of these.
  if (header === 'gzip' || header.startsWith('gzip, ')) return !/gzip\s*;/i.test(header);
  let wildcard = false;
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return !isRefused;
    if (coding === '*') wildcard = !isRefused;
  }
  return wildcard;
}

/** Whether the answer is another one for clients that accept gzip. */
export function isCompressible(answer: Answer, type: string): boolean {
  const { text, bytes = 0, body, headers = [], status } = answer;
  if (status === 206 || !COMPRESSIBLE.test(answer.type ?? type)) return false;
  // A body that can be requested in byte ranges must have the same bytes for all clients.
  if (names(headers, 'content-encoding') || names(headers, 'accept-ranges')) return false;
  if (text !== undefined) return bytes >= MIN_BYTES;
  if (body instanceof Uint8Array) return body.length >= MIN_BYTES;
  return body !== undefined && lengthIn(headers) >= MIN_BYTES;
}

/** The answer with its body compressed. */
export async function compressed(answer: Answer): Promise<Answer> {
  const { text, body, headers = [], bytes: _, ...others } = answer;
  if (body instanceof Readable) {
    const packed = createGzip({ level: STREAM_LEVEL, flush: constants.Z_SYNC_FLUSH });
    body.once('error', (failure) => packed.destroy(failure));
    packed.once('close', () => body.destroy());
    body.pipe(packed);
    return { ...others, body: packed, headers: [...withoutLength(headers), 'Content-Encoding', 'gzip'] };
  }
  const packed = body ? await packedOnce(body) : await zip(text ?? '', { level: LEVEL });
  return { ...others, body: packed, headers: [...headers, 'Content-Encoding', 'gzip'] };
}

/** Bodies that are made once and sent many times are compressed once. */
const known = new WeakMap<Uint8Array, Promise<Buffer>>();

function packedOnce(plain: Uint8Array): Promise<Buffer> {
  const packed = known.get(plain) ?? zip(plain, { level: LEVEL });
  known.set(plain, packed);
  packed.catch(() => known.delete(plain)); // thrown where it is awaited
  return packed;
}

function names(headers: readonly string[], name: string): boolean {
  return headers.some((text, index) => index % 2 === 0 && text.toLowerCase() === name);
}

/** Of a stream that does not say how long it is: it may be long. */
function lengthIn(headers: readonly string[]): number {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-length');
  return at < 0 ? Number.POSITIVE_INFINITY : Number(headers[at + 1]);
}

export function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)]!.toLowerCase() !== 'content-length');
}
