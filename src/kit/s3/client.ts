// A client of a bucket of an S3-compatible store, by addresses with the bucket in their path.
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { chunksOf } from '../chunks.ts';
import {
  escaped,
  type ListedObject,
  listIn,
  reasonIn,
  tagged,
  type UndeletedObject,
  type UnfinishedUpload,
  undeletedIn,
  uploadsIn,
} from './answers.ts';
import { BucketFailure } from './failure.ts';
import { copyRanges, MAX_COPIED_BYTES } from './parts.ts';
import { openRequest, textOf } from './request.ts';
import { type Account, type LinkOptions, linkerFor, type SignedRequest, signerFor, type UnsignedRequest } from './sign.ts';

export interface StoreAddress extends Account {
  /** Where the store answers, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** Of the bucket. */
  readonly name: string;
  readonly region: string;
}

export interface ClientOptions {
  /** Options of the connection to a host; may throw for one that is forbidden. */
  readonly connection?: (host: string) => RequestOptions;
  /** Ends all requests. */
  readonly signal?: AbortSignal;
  /** Time limit for a store that sends nothing, unless it does something long. */
  readonly silenceMs?: number;
}

export interface GetOptions {
  readonly from?: number;
  /** The last byte, which belongs to it. */
  readonly to?: number;
  /** Of this object only. */
  readonly tag?: string;
}

export interface ReceivedObject {
  /** Of the whole object. */
  readonly tag: string;
  /** The first byte of the content in the object. */
  readonly from: number;
  /** The length of the whole object; undefined: the store does not say. */
  readonly length: number | undefined;
  /** To be read to its end, or destroyed. */
  readonly content: IncomingMessage;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const MAX_REQUEST_MS = 10 * 60_000;
const MAX_SILENCE_MS = 5 * 60_000;
/** Answers of stores are a few lines of XML. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** A page has a thousand keys, of a thousand bytes each. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Maximum number of objects that stores delete with one request. */
const MAX_DELETED = 1000;
const NO_BUCKET = 'NoSuchBucket';
const NOTHING = Buffer.alloc(0);

export class S3Client {
  readonly #sign: (request: UnsignedRequest) => Promise<SignedRequest>;
  readonly #link: (url: string, options: LinkOptions) => Promise<string>;
  readonly #address: StoreAddress;
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(address: StoreAddress, options: ClientOptions = {}) {
    const { endpoint, name, region, accessKeyId, secretAccessKey, sessionToken } = address;
    this.#address = address;
    const account = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    this.#sign = signerFor(account, region, 's3');
    this.#link = linkerFor(account, region);
    this.#options = options;
    this.#base = `${withoutLastSlashes(endpoint)}/${encodeURIComponent(name)}`;
  }

  async put(key: string, content: Buffer): Promise<void> {
    await this.#ask('PUT', key, '', content);
  }

  /** The size of an object; undefined: there is none. */
  async size(key: string): Promise<number | undefined> {
    const answer = await this.#send('HEAD', key, '');
    if (answer.status === 404) return undefined;
    if (!isSuccess(answer.status)) throw failureOf(answer, `HEAD ${key}`);
    return Number(answer.headers['content-length']);
  }

  /** Some bytes, of the object that has this tag if one is given; undefined: there is none. The content may break off. */
  async get(key: string, { from = 0, to, tag }: GetOptions = {}): Promise<ReceivedObject | undefined> {
    const range: Record<string, string> = from > 0 || to !== undefined ? { range: `bytes=${from}-${to ?? ''}` } : {};
    const content = await this.#open('GET', key, '', NOTHING, { ...range, ...(tag && { 'if-match': tag }) });
    const { statusCode: status = 0, headers } = content;
    if (status === 200 || status === 206)
      return { tag: headers.etag ?? '', from: status === 206 ? from : 0, length: lengthIn(status, headers), content };
    const answer = await this.#read(content, MAX_ANSWER_BYTES);
    if (status === 404 && tagged(answer.text, 'Code') !== NO_BUCKET) return undefined;
    throw failureOf(answer, `GET ${key}`);
  }

  /** A presigned URL of the object: it works for a while, without any account. */
  linkTo(key: string, options: LinkOptions): Promise<string> {
    return this.#link(`${this.#base}/${this.#pathOf(key)}`, options);
  }

  /** All objects whose keys begin so, in the order of the keys, page by page. */
  async *list(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    for (let token: string | undefined; ; ) {
      const more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${more}`;
      const { objects, next } = listIn(await this.#list(query));
      if (objects.length > 0) yield objects;
      if (next === undefined || next === token) return;
      token = next;
    }
  }

  /** Asks for as little as can be asked for: whether the bucket is there, and lets this account in. */
  async check(prefix = ''): Promise<void> {
    await this.#list(`?list-type=2&max-keys=1&prefix=${encodeURIComponent(prefix)}`);
  }

  /** Objects that were deleted, or were not there. Returns the others. */
  async remove(keys: readonly string[]): Promise<readonly UndeletedObject[]> {
    const undeleted: UndeletedObject[] = [];
    for (const some of chunksOf(keys, MAX_DELETED)) {
      const objects = some.map((key) => `<Object><Key>${escaped(key)}</Key></Object>`);
      const body = Buffer.from(`<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`);
      const md5 = createHash('md5').update(body).digest('base64');
      const answer = await this.#read(await this.#open('POST', '', '?delete=', body, { 'content-md5': md5 }), MAX_LIST_BYTES);
      if (!isSuccess(answer.status)) throw failureOf(answer, 'POST ?delete');
      undeleted.push(...undeletedIn(answer.text));
    }
    return undeleted;
  }

  /** Within the store: nothing of it comes here. Large objects go piece by piece. */
  async copy(from: string, to: string, bytes: number): Promise<void> {
    const source = { 'x-amz-copy-source': `/${encodeURIComponent(this.#address.name)}/${this.#pathOf(from)}` };
    if (bytes <= MAX_COPIED_BYTES) {
      await this.#copy(to, '', source);
      return;
    }
    const upload = await this.beginUpload(to);
    try {
      const tags: string[] = [];
      for (const { start, end } of copyRanges(bytes)) {
        const query = `?partNumber=${tags.length + 1}&uploadId=${encodeURIComponent(upload)}`;
        const text = await this.#copy(to, query, { ...source, 'x-amz-copy-source-range': `bytes=${start}-${end}` });
        tags.push(tagged(text, 'ETag') ?? '');
      }
      await this.endUpload(to, upload, tags);
    } catch (failure) {
      await this.abandonUpload(to, upload);
      throw failure;
    }
  }

  /** Uploads of parts that were begun and never ended. */
  async unfinishedUploads(prefix: string): Promise<readonly UnfinishedUpload[]> {
    const found: UnfinishedUpload[] = [];
    for (let more = ''; ; ) {
      const { uploads, next } = uploadsIn(await this.#list(`?uploads=&prefix=${encodeURIComponent(prefix)}${more}`));
      found.push(...uploads);
      if (!next) return found;
      more = `&key-marker=${encodeURIComponent(next.key)}&upload-id-marker=${encodeURIComponent(next.upload)}`;
    }
  }

  async beginUpload(key: string): Promise<string> {
    const { text } = await this.#ask('POST', key, '?uploads=');
    const id = tagged(text, 'UploadId');
    if (id === undefined) throw new BucketFailure(`The store began no upload of ${key}. ${reasonIn(text)}`.trim(), 200);
    return id;
  }

  /** Returns the tag by which the store knows the part. */
  async putPart(key: string, upload: string, number: number, content: Buffer): Promise<string> {
    const answer = await this.#ask('PUT', key, `?partNumber=${number}&uploadId=${encodeURIComponent(upload)}`, content);
    return answer.headers.etag ?? '';
  }

  async endUpload(key: string, upload: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const { text } = await this.#ask('POST', key, `?uploadId=${encodeURIComponent(upload)}`, body);
    // It can fail after it has said 200.
    if (text.includes('<Error>')) throw new BucketFailure(`The store did not finish ${key}: ${reasonIn(text)}`, 500);
  }

  /** Drops the parts that were sent. Best effort: a caller that gives up has a failure to report already. */
  async abandonUpload(key: string, upload: string): Promise<void> {
    const { signal: _, ...options } = this.#options;
    const client = new S3Client(this.#address, options);
    await client.#send('DELETE', key, `?uploadId=${encodeURIComponent(upload)}`).catch(() => {}); // as said
  }

  async #list(query: string): Promise<string> {
    const answer = await this.#read(await this.#open('GET', '', query, NOTHING), MAX_LIST_BYTES);
    if (!isSuccess(answer.status)) throw failureOf(answer, `GET ${query}`);
    return answer.text;
  }

  async #copy(to: string, query: string, source: Record<string, string>): Promise<string> {
    const answer = await this.#read(await this.#open('PUT', to, query, NOTHING, source), MAX_ANSWER_BYTES);
    if (!isSuccess(answer.status)) throw failureOf(answer, `PUT ${to}`);
    // It can fail after it has said 200.
    if (answer.text.includes('<Error>')) throw new BucketFailure(`The store did not copy ${to}: ${reasonIn(answer.text)}`, 500);
    return answer.text;
  }

  async #ask(method: string, key: string, query: string, content?: Buffer): Promise<Answer> {
    const answer = await this.#send(method, key, query, content);
    if (isSuccess(answer.status)) return answer;
    throw failureOf(answer, `${method} ${key}`);
  }

  async #send(method: string, key: string, query: string, content: Buffer = NOTHING): Promise<Answer> {
    return this.#read(await this.#open(method, key, query, content), MAX_ANSWER_BYTES);
  }

  async #read(answer: IncomingMessage, maxBytes: number): Promise<Answer> {
    const text = await this.#reached(() => textOf(answer, maxBytes));
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  async #open(method: string, key: string, query: string, content: Buffer, headers?: Record<string, string>): Promise<IncomingMessage> {
    const signed = await this.#sign({ method, url: `${this.#base}/${this.#pathOf(key)}${query}`, headers, content });
    const { connection, signal, silenceMs = MAX_SILENCE_MS } = this.#options;
    // A store is silent while it copies, or joins parts.
    const isLong = headers?.['x-amz-copy-source'] !== undefined || (method === 'POST' && query.startsWith('?uploadId'));
    // A large object may take as long as it likes, as long as something comes.
    const limit = method === 'GET' ? [] : [AbortSignal.timeout(MAX_REQUEST_MS)];
    const ends = AbortSignal.any([...(signal ? [signal] : []), ...limit]);
    return this.#reached(() =>
      openRequest({ method, ...signed, content, signal: ends, connection, silenceMs: isLong ? MAX_SILENCE_MS : silenceMs }),
    );
  }

  #pathOf(key: string): string {
    const steps = key.split('/');
    // An address with such a step means another object, and perhaps one of another bucket.
    if ([this.#address.name, ...steps].some((step) => step === '.' || step === '..'))
      throw new BucketFailure(`${this.#address.name}/${key} is no name of an object.`, 400);
    return steps.map(encoded).join('/');
  }

  async #reached<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (failure) {
      this.#options.signal?.throwIfAborted();
      const { message, code } = failure as NodeJS.ErrnoException;
      throw new BucketFailure(`${this.#base} cannot be reached: ${message || code}`, undefined, failure);
    }
  }
}

export function withoutLastSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** As the signature has it: stores need not think the same of the other signs. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** With a part of an object comes the length of the whole, if the store knows it: `bytes 0-4/11`. */
function lengthIn(status: number, headers: IncomingMessage['headers']): number | undefined {
  const length = status === 206 ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function failureOf({ status, text }: Answer, request: string): BucketFailure {
  return new BucketFailure(`The store answered ${status} to ${request}. ${reasonIn(text)}`.trim(), status);
}
