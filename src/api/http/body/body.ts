// Reads the body of a write: its type, its size, its JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Refusal } from '../../../kit/refusal.ts';
import { withExactNumbers } from '../../../kit/text/exact-numbers.ts';
import { isObject, type Json, type JsonObject } from '../../../shape/json/json.ts';
import { MERGE_PATCH } from '../../../shape/json/merge-patch.ts';
import type { ApiRequest, RawBody, Route } from '../../engine/route.ts';
import { readVendorType, VENDORS, type Vendor } from '../headers/vendor.ts';
import { exceededBound } from './json-bounds.ts';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_DEPTH = 64;
export const MAX_ARRAY_LENGTH = 50_000;
/** Of all texts, numbers, lists and objects of a body together: checking each blocks the event loop. */
const MAX_VALUES = 300_000;
/** Of all members of a body together; the resources have some hundreds. */
const MAX_NAMES = 10_000;
const MAX_TEXT_LENGTH = 1_000_000;
const BOUNDS = { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES, maxNames: MAX_NAMES };
/** Shorter bodies are parsed in no time, whatever their content. */
const LONG_BODY_BYTES = 64 * 1024;
const TOO_MUCH_AT_ONCE = 'Too many requests with large bodies are arriving. Try again in a moment.';
export const WRONG_TYPE = "You must specify a 'Content-Type' of 'application/json'";
const CONFIRM_HEADERS = [...VENDORS.map((vendor) => `x-${vendor.header.toLowerCase()}-confirm`), 'confirm'];
const NO_BODY: JsonObject = {};

/** Checks the size, type and encoding of a body by its headers. */
export function checkBodyHeaders({ headers }: IncomingMessage, { takesMergePatch }: Pick<Route, 'takesMergePatch'>): void {
  checkBodySize(headers, MAX_BODY_BYTES);
  if (!hasBody(headers)) return;
  mustBeJson(headers['content-type'], takesMergePatch);
  mustBePlain(headers['content-encoding']);
}

export function checkBodySize(headers: IncomingMessage['headers'], maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Whether so many more bytes may be held. */
export type MayHold = (bytes: number) => boolean;

/** A body that the route reads itself. */
export function rawBodyOf(request: IncomingMessage, maxBytes: number, mayHold?: MayHold): RawBody {
  const stream = hasBody(request.headers) ? request : Readable.from([]);
  return { type: mediaTypeOf(request.headers['content-type']), stream, read: () => readBytes(stream, maxBytes, mayHold) };
}

/** Reads a body whose headers have been checked. */
export async function readBody(request: IncomingMessage, mayBeEmpty: boolean, vendor: Vendor): Promise<JsonObject> {
  const { headers } = request;
  if (!hasBody(headers)) return emptyBody(headers, mayBeEmpty, vendor);
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8');
  const text = bytes.toString('utf8');
  return text.trim() === '' ? emptyBody(headers, mayBeEmpty, vendor) : parse(bytes, text);
}

/** The JSON that is sent to a route which takes other bodies, too. */
export async function readRawJson(request: Pick<ApiRequest, 'raw' | 'header'>): Promise<JsonObject> {
  mustBeJson(request.header('content-type'));
  mustBePlain(request.header('content-encoding'));
  return parse(await readBytes(request.raw.stream, MAX_BODY_BYTES));
}

/** The JSON of a client that need not be authenticated: no larger than the route allows. */
export async function readUntrustedJson(request: Pick<ApiRequest, 'raw' | 'header'>): Promise<JsonObject> {
  mustBeJson(request.header('content-type'));
  mustBePlain(request.header('content-encoding'));
  const bytes = await request.raw.read();
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8');
  return parse(bytes);
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** The values of the headers by which the sender confirms the request. */
export function confirmations(header: (name: string) => unknown): string[] {
  return CONFIRM_HEADERS.map(header)
    .filter((value) => value !== undefined)
    .map(String);
}

function emptyBody(headers: IncomingMessage['headers'], mayBeEmpty: boolean, { header }: Vendor): JsonObject {
  if (mayBeEmpty || confirmations((name) => headers[name]).length > 0) return NO_BODY;
  throw new Refusal('unconfirmed', `Missing required header 'X-${header}-Confirm' with value 'true'`);
}

/** Whether it is said to be JSON, which no form of another site can say. */
export function isJsonType(contentType: string | undefined): boolean {
  const type = mediaTypeOf(contentType);
  return type === 'application/json' || readVendorType(type) !== undefined;
}

function mustBeJson(contentType: string | undefined, takesMergePatch = false): void {
  if (isJsonType(contentType) || (takesMergePatch && mediaTypeOf(contentType) === MERGE_PATCH)) return;
  throw new Refusal('unsupportedContent', WRONG_TYPE);
}

function mustBePlain(encoding = ''): void {
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return;
  throw new Refusal('unsupportedContent', `The request body is compressed with '${encoding.slice(0, 100)}'; send JSON uncompressed.`);
}

export function isMergePatch(header: (name: string) => string | undefined): boolean {
  return mediaTypeOf(header('content-type')) === MERGE_PATCH;
}

function mediaTypeOf(contentType = ''): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

function readBytes(request: Readable, maxBytes: number, mayHold: MayHold = () => true): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    const refuse = (refusal: Refusal) => {
      chunks.length = 0;
      isRefused = true;
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (isRefused) return;
      if (size > maxBytes) refuse(tooLarge(maxBytes));
      else if (mayHold(chunk.length)) chunks.push(chunk);
      else refuse(new Refusal('unavailable', TOO_MUCH_AT_ONCE, { retryAfter: 1 }));
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => reject(new Refusal('malformed', 'The request was cut off before its body was complete.')));
  });
}

function parse(bytes: Buffer, text = bytes.toString('utf8')): JsonObject {
  const exceeded = bytes.length > LONG_BODY_BYTES ? exceededBound(bytes, BOUNDS) : undefined;
  if (exceeded === 'too deep') throw tooDeep();
  if (exceeded === 'too many values') throw tooManyValues();
  if (exceeded === 'too many names') throw malformed(`its members have more than ${MAX_NAMES} different names`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    // The engine quotes the text around the mistake; that may be a secret.
    throw malformed((failure as SyntaxError).message.replace(/,? (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, ''));
  }
  if (!isObject(value)) throw malformed('the top level must be an object');
  mustBeBounded(value, 1, { values: 0 });
  return withExactNumbers(value, text);
}

function mustBeBounded(value: Json, depth: number, count: { values: number }): void {
  if (++count.values > MAX_VALUES) throw tooManyValues();
  // Half of a surrogate pair can be written as an escape, but neither stored nor put into an address.
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT_LENGTH) throw malformed(`a string is longer than ${MAX_TEXT_LENGTH} characters`);
    if (!value.isWellFormed()) throw malformed('a string is not valid Unicode');
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) {
    if (value.length > MAX_ARRAY_LENGTH) throw malformed(`an array has more than ${MAX_ARRAY_LENGTH} entries`);
    for (const item of value) mustBeBounded(item, depth + 1, count);
  } else {
    for (const key in value) mustBeBounded((value as JsonObject)[key]!, depth + 1, count);
  }
}

function tooManyValues(): Refusal {
  return malformed(`it has more than ${MAX_VALUES} values`);
}

function tooDeep(): Refusal {
  return malformed(`nested deeper than ${MAX_DEPTH} levels`);
}

function malformed(reason: string): Refusal {
  return new Refusal('malformed', `Payload data is not valid JSON: ${reason}`);
}

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal('tooLarge', `The request body is larger than ${maxBytes} bytes.`);
}
