// A real S3 server for tests, behind a door that checks signatures (the server itself does not) and that can be shut.
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bucket } from '../../src/backup/copy/bucket.ts';

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
  readonly #door: Server;
  /** The numbers of the parts that were sent. */
  readonly parts: number[] = [];
  /** Says whether a request, such as `PUT /backups/a?partNumber=1`, may pass; it gets no answer where it may not. */
  mayPass: (request: string) => boolean = () => true;
  /** Cuts the next longer answer behind so many bytes. */
  cutAnswerAfter: number | undefined;
  /** Those that were asked for. */
  readonly ranges: string[] = [];

  private constructor(store: S3rver, directory: string, port: number) {
    this.#store = store;
    this.#directory = directory;
    this.#port = port;
    this.#door = createServer((incoming, response) => void this.#answer(incoming, response));
  }

  static async start(): Promise<TestBucket> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-s3-'));
    const store = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: NAME }] });
    const { port } = await store.run();
    const bucket = new TestBucket(store, directory, port);
    await new Promise<void>((resolve) => bucket.#door.listen(0, '127.0.0.1', resolve));
    return bucket;
  }

  get settings(): Bucket {
    const { port } = this.#door.address() as { port: number };
    const endpoint = `http://127.0.0.1:${port}`;
    return { endpoint, name: NAME, prefix: '/slipway/', region: 'us-east-1', accessKeyId: KEY, secretAccessKey: KEY };
  }

  /** Where the store keeps the content of an object. */
  fileOf(key: string): string {
    return join(this.#directory, NAME, `${key}._S3rver_object`);
  }

  async stop(): Promise<void> {
    this.#door.closeAllConnections();
    await new Promise((resolve) => this.#door.close(resolve));
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
    if (!body) return; // whoever sent it is gone
    const [, part] = /partNumber=(\d+)/.exec(url!) ?? [];
    if (part !== undefined) this.parts.push(Number(part));
    if (headers.range !== undefined) this.ranges.push(headers.range);
    if (!isSigned(incoming, body)) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code><Message>No.</Message></Error>');
      return;
    }
    const onward = request({ port: this.#port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
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
}

/** The signature (version 4), worked out once more from what has arrived. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const [, date, region, names, signature] =
    /Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ??
    [];
  if (!date || !region || !names || headers['x-amz-content-sha256'] !== digest(body)) return false;
  const { pathname, searchParams } = new URL(url!, 'http://localhost');
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).toSorted();
  const listed = names.split(';').map((name) => `${name}:${String(headers[name as keyof IncomingHttpHeaders]).trim()}\n`);
  const canonical = [method, pathname, query.join('&'), listed.join(''), names, digest(body)].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer>((secret, word) => hmac(secret, word), Buffer.from(`AWS4${KEY}`));
  return hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest(canonical)].join('\n')).toString('hex') === signature;
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
