// A bucket of an S3-compatible store, and the few requests that a copy of a backup takes.
import { AwsClient } from 'aws4fetch';
import { sha256 } from '../../kit/bytes/hash.ts';
import { ForbiddenAddress } from '../../kit/network/reach.ts';
import { type BucketAnswer, sendToBucket } from './bucket-request.ts';

export interface Bucket {
  /** Where the store answers, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly name: string;
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The store refused, or could not be asked. */
export class BucketFailure extends Error {
  /** What it answered with; undefined: it gave no answer. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }

  /** Whether the same request can succeed another time. */
  get isPassing(): boolean {
    if (this.cause instanceof ForbiddenAddress) return false;
    return this.status === undefined || this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

const LONGEST_REQUEST_MS = 10 * 60_000;

/** How people write the address of a folder in it. */
export function addressIn({ name, prefix }: Bucket, folder: string): string {
  return `s3://${name}/${keyOf(prefix, folder)}`;
}

export function keyOf(prefix: string, name: string): string {
  const folder = withoutLastSlashes(prefix.replace(/^\/+/, ''));
  return folder === '' ? name : `${folder}/${name}`;
}

function withoutLastSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

export class BucketClient {
  readonly #client: AwsClient;
  readonly #base: string;

  constructor({ endpoint, name, region, accessKeyId, secretAccessKey }: Bucket) {
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
    this.#base = `${withoutLastSlashes(endpoint)}/${encodeURIComponent(name)}`;
  }

  async put(key: string, content: Buffer): Promise<void> {
    await this.#ask('PUT', key, '', content);
  }

  /** The size of an object; undefined: there is none. */
  async size(key: string): Promise<number | undefined> {
    const answer = await this.#send('HEAD', key, '');
    if (answer.status === 404) return undefined;
    if (!isSuccess(answer)) throw failureOf(answer, `HEAD ${key}`);
    return Number(answer.headers['content-length']);
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

  async #ask(method: string, key: string, query: string, content?: Buffer): Promise<BucketAnswer> {
    const answer = await this.#send(method, key, query, content);
    if (isSuccess(answer)) return answer;
    throw failureOf(answer, `${method} ${key}`);
  }

  async #send(method: string, key: string, query: string, content: Buffer = Buffer.alloc(0)): Promise<BucketAnswer> {
    const path = key.split('/').map(encodeURIComponent).join('/');
    // With the digest under the signature, a store takes nothing that was damaged on its way.
    const signed = await this.#client.sign(`${this.#base}/${path}${query}`, {
      method,
      headers: { 'x-amz-content-sha256': sha256(content) },
    });
    try {
      return await sendToBucket({
        method,
        url: new URL(signed.url),
        headers: Object.fromEntries(signed.headers),
        content,
        signal: AbortSignal.timeout(LONGEST_REQUEST_MS),
      });
    } catch (failure) {
      const { message, code } = failure as NodeJS.ErrnoException;
      throw new BucketFailure(`${this.#base} cannot be reached: ${message || code}`, undefined, failure);
    }
  }
}

function isSuccess({ status }: BucketAnswer): boolean {
  return status >= 200 && status < 300;
}

function failureOf({ status, text }: BucketAnswer, request: string): BucketFailure {
  return new BucketFailure(`The store answered ${status} to ${request}. ${reasonIn(text)}`.trim(), status);
}

/** What stores say of an error. Whatever else an answer holds is not repeated. */
function reasonIn(text: string): string {
  return [tagged(text, 'Code'), tagged(text, 'Message')].filter(Boolean).join(': ');
}

function tagged(xml: string, tag: string): string | undefined {
  const [, text] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? [];
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
