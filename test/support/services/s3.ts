// A real S3 server for tests, behind a proxy that checks signatures (the server itself does not) and that can be shut.
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bucket } from '../../../src/backup/copy/bucket.ts';
import { isSigned as isSignedRequest, signatureOf } from './aws-signature.ts';

interface S3rver {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
const S3rver = require('s3rver') as new (options: object) => S3rver;
const NAME = 'backups';
/** The one account that it knows: both its key and its secret. */
const KEY = 'S3RVER';

export class TestBucket {
  readonly #store: S3rver;
  readonly #directory: string;
  readonly #port: number;
  readonly #proxy: Server;
  /** The numbers of the parts that were sent. */
  readonly parts: number[] = [];
  /** Says whether a request, such as `PUT /backups/a?partNumber=1`, may pass; it gets no answer where it may not. */
  mayPass: (request: string) => boolean = () => true;
  /** Cuts the next longer answer after so many bytes. */
  cutAnswerAfter: number | undefined;
  /** The ranges that were asked for. */
  readonly ranges: string[] = [];
  /** All requests that it has let in, such as `PUT /backups/a?partNumber=1`. */
  readonly asked: string[] = [];
  /** Answers a request with an error of this status and code. */
  refuse: (request: string) => { readonly status: number; readonly code: string } | undefined = () => undefined;
  /** Uploads of parts that were begun, and neither ended nor given up, with their keys. The store itself keeps no list. */
  readonly uploads = new Map<string, string>();

  private constructor(store: S3rver, directory: string, port: number) {
    this.#store = store;
    this.#directory = directory;
    this.#port = port;
    this.#proxy = createServer((incoming, response) => void this.#answer(incoming, response));
  }

  static async start(): Promise<TestBucket> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-s3-'));
    const store = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: NAME }] });
    const { port } = await store.run();
    const bucket = new TestBucket(store, directory, port);
    await new Promise<void>((resolve) => bucket.#proxy.listen(0, '127.0.0.1', resolve));
    return bucket;
  }

  get settings(): Bucket {
    const { port } = this.#proxy.address() as { port: number };
    const endpoint = `http://127.0.0.1:${port}`;
    return { endpoint, name: NAME, prefix: '/slipway/', region: 'us-east-1', accessKeyId: KEY, secretAccessKey: KEY };
  }

  /** The options of a server that keeps artifacts in the bucket below a prefix. */
  artifactOptions(prefix: string): Record<string, string> {
    const { endpoint, name } = this.settings;
    const account = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY };
    return { 'artifacts-bucket': `s3://${name}/${prefix}`, 'artifacts-endpoint': endpoint, ...account };
  }

  /** The file in which the store keeps the content of an object. */
  fileOf(key: string): string {
    return join(this.#directory, NAME, `${key}._S3rver_object`);
  }

  /** The keys of all objects. */
  keys(): string[] {
    const folder = join(this.#directory, NAME);
    const ending = '._S3rver_object';
    return globSync('**/*', { cwd: folder })
      .filter((file) => file.endsWith(ending) && !file.startsWith('.'))
      .map((file) => file.slice(0, -ending.length))
      .toSorted();
  }

  async stop(): Promise<void> {
    this.#proxy.closeAllConnections();
    await new Promise((resolve) => this.#proxy.close(resolve));
    await this.#store.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    if (!this.mayPass(`${method} ${url}`)) {
      incoming.socket.destroy();
      return;
    }
    const body = await buffer(incoming).catch(() => undefined);
    if (!body) return; // the client is gone
    const [, part] = /partNumber=(\d+)/.exec(url!) ?? [];
    if (part !== undefined) this.parts.push(Number(part));
    if (headers.range !== undefined) this.ranges.push(headers.range);
    this.asked.push(`${method} ${url}`);
    const refused = this.refuse(`${method} ${url}`) ?? (isSigned(incoming, body) ? undefined : UNSIGNED);
    if (refused) {
      response.writeHead(refused.status).end(`<Error><Code>${refused.code}</Code><Message>No.</Message></Error>`);
      return;
    }
    if (method === 'GET' && /[?&]uploads=/.test(url!)) return void response.writeHead(200).end(this.#listedUploads(url!));
    // A presigned link is passed on as a plain request, without its signature.
    const path = url!.includes('X-Amz-Signature') ? new URL(url!, 'http://localhost').pathname : url!;
    const onward = request({ port: this.#port, host: '127.0.0.1', method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      this.#noteUpload(method!, url!, answer);
      const limit = this.cutAnswerAfter;
      if (limit === undefined || Number(answer.headers['content-length'] ?? 0) <= limit) return void answer.pipe(response);
      this.cutAnswerAfter = undefined;
      let left = limit;
      answer.on('data', (chunk: Buffer) => {
        if (left > 0 && left <= chunk.length) response.write(chunk.subarray(0, left), () => response.destroy());
        else if (left > 0) response.write(chunk);
        left -= chunk.length;
      });
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  }

  #noteUpload(method: string, url: string, answer: IncomingMessage): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const id = searchParams.get('uploadId');
    if (id !== null && (method === 'DELETE' || method === 'POST')) this.uploads.delete(id);
    if (method !== 'POST' || !searchParams.has('uploads')) return;
    answer.on('data', (chunk: Buffer) => {
      const [, begun] = /<UploadId>([^<]+)/.exec(String(chunk)) ?? [];
      if (begun !== undefined) this.uploads.set(begun, decodeURIComponent(pathname.split('/').slice(2).join('/')));
    });
  }

  #listedUploads(url: string): string {
    const prefix = new URL(url, 'http://localhost').searchParams.get('prefix') ?? '';
    const own = [...this.uploads].filter(([, key]) => key.startsWith(prefix));
    return `<r>${own.map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`).join('')}</r>`;
  }
}

const UNSIGNED = { status: 403, code: 'SignatureDoesNotMatch' } as const;

function isSigned(incoming: IncomingMessage, body: Buffer): boolean {
  if (incoming.url!.includes('X-Amz-Signature')) return isSignedLink(incoming);
  return isSignedRequest(incoming, body, 's3', () => KEY);
}

/** Whether a link is signed, in a query of which the signature itself is no part. */
function isSignedLink({ method, url, headers }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(url!, 'http://localhost');
  const [, date = '', region = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
  const plain = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const pairs = [...searchParams].filter(([name]) => name !== 'X-Amz-Signature').map((pair) => pair.map(plain).join('='));
  const canonical = [method, pathname, pairs.toSorted().join('&'), `host:${headers.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = { date, region, service: 's3', secret: KEY, moment: searchParams.get('X-Amz-Date') ?? '' };
  return signatureOf(scope, canonical) === searchParams.get('X-Amz-Signature');
}
