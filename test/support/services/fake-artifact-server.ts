// The server's side of artifacts, as small as it can be: files on a disk, archives by the program tar, and failures as a test wants them.
import { spawn } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArtifactFile, Publication } from '../../../src/contracts/agent-protocol/messages.ts';
import { TAR_END, tarHead, tarTail } from '../../../src/kit/tar/write.ts';

export interface ArtifactRequest {
  readonly job: number;
  /** `file`, `archive`, `publication` or, of fetches, `files`, `file`, `archive`. */
  readonly what: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

const ALGORITHMS = ['sha256', 'md5'];
const READ_AT_ONCE = 1024 * 1024;

type Reply = { readonly status: number; readonly body: object } | 'cut' | undefined;

export class FakeArtifactServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-fake-artifact-server-'));
  readonly requests: ArtifactRequest[] = [];
  readonly publications: (Publication & { readonly job: number })[] = [];
  /** The files that all fetch tasks find, by path; a path that ends with a slash is an empty folder. */
  readonly fetched = new Map<string, Buffer>();
  /** Answers instead of this server, when it gives something; asked before anything of the body is read. */
  override: (artifactRequest: ArtifactRequest) => Reply = () => undefined;
  /** Cuts the connection of a body after so many bytes, in both directions; the next one is whole. */
  cutAfter: number | undefined;
  /** Whether something is done to the bytes on the way to the agent. */
  corrupt: (artifactRequest: ArtifactRequest, content: Buffer) => Buffer = (_, content) => content;
  pageSize = 10_000;
  /** The text in front of the names in archives to the agent. */
  archivePrefix = '';

  constructor() {
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
  }

  stagedAt(job: number, path: string): string {
    return join(this.folder, 'staged', String(job), path);
  }

  publishedAt(job: number, path = ''): string {
    return join(this.folder, 'published', String(job), path);
  }

  /** Everything that was published, folders with a slash after them. */
  tree(job: number): string[] {
    const root = this.publishedAt(job);
    if (!existsSync(root)) return [];
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return entries
      .map((one) => join(one.parentPath, one.name).slice(root.length).replace(/^\//, '') + (one.isDirectory() ? '/' : ''))
      .sort();
  }

  content(job: number, path: string): string {
    return readFileSync(this.publishedAt(job, path), 'utf8');
  }

  async handle(path: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, job, kind, what] = /jobs\/(\d+)\/(artifacts|fetches)\/(?:\d+\/)?(\w+)$/.exec(path) ?? [];
    const artifactRequest = {
      job: Number(job),
      what: `${kind === 'fetches' ? 'fetch ' : ''}${what}`,
      query: Object.fromEntries(query),
      headers: request.headers,
    };
    this.requests.push(artifactRequest);
    const override = this.override(artifactRequest);
    if (override === 'cut') return void request.destroy();
    if (override) return json(response, override.status, override.body);
    try {
      await this.#answer(artifactRequest, request, response);
    } catch (failure) {
      if (!request.destroyed) json(response, 500, { message: (failure as Error).message });
    }
  }

  async #answer(artifactRequest: ArtifactRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (artifactRequest.what) {
      case 'file':
        return json(response, ...(await this.#receiveFile(artifactRequest, request)));
      case 'archive':
        return json(response, 200, { files: await this.#receiveArchive(artifactRequest, request) });
      case 'publication':
        return json(response, 200, { missing: await this.#publish(artifactRequest.job, JSON.parse((await bodyOf(request)).toString())) });
      case 'fetch files':
        return json(response, 200, this.#list(artifactRequest.query.after ?? ''));
      case 'fetch file':
        return this.#sendFile(artifactRequest, response);
      case 'fetch archive':
        return this.#sendArchive(artifactRequest, JSON.parse((await bodyOf(request)).toString()).paths, response);
    }
  }

  async #receiveFile({ job, query }: ArtifactRequest, request: IncomingMessage): Promise<[number, object]> {
    const target = this.stagedAt(job, query.path!);
    const offset = Number(query.offset);
    mkdirSync(dirname(target), { recursive: true });
    const there = existsSync(target) ? statSync(target).size : 0;
    if (offset > there) {
      for await (const _ of request);
      return [409, { length: there }];
    }
    if (existsSync(target)) truncateSync(target, offset);
    await pipeline(this.#cutShort(request, request), createWriteStream(target, { flags: 'a' })).catch(() => {});
    return [200, { length: statSync(target).size }];
  }

  async #receiveArchive({ job }: ArtifactRequest, request: IncomingMessage): Promise<number> {
    const folder = this.stagedAt(job, '');
    mkdirSync(folder, { recursive: true });
    const tar = spawn('tar', ['-xv', '-C', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    let files = 0;
    tar.stdout.on('data', (text: Buffer) => (files += text.toString().split('\n').length - 1));
    const ended = once(tar, 'close');
    await pipeline(this.#cutShort(request, request), tar.stdin);
    const [code] = await ended;
    if (code !== 0) throw new Error(`tar ended with ${code}`);
    return files;
  }

  async #publish(job: number, publication: Publication): Promise<string[]> {
    const missing = [];
    for (const { path, bytes, sha256, md5 } of publication.files) {
      const staged = [this.stagedAt(job, path), this.publishedAt(job, path)].find((one) => existsSync(one));
      const isWhole = staged && statSync(staged).size === bytes && (await digests(staged, bytes)).join() === [sha256, md5].join();
      if (!isWhole) missing.push(path);
    }
    if (missing.length > 0) return missing;
    this.publications.push({ ...publication, job });
    for (const { path } of publication.files) {
      mkdirSync(dirname(this.publishedAt(job, path)), { recursive: true });
      if (existsSync(this.stagedAt(job, path))) renameSync(this.stagedAt(job, path), this.publishedAt(job, path));
    }
    for (const path of publication.folders) mkdirSync(this.publishedAt(job, path), { recursive: true });
    return [];
  }

  #list(after: string): object {
    const paths = [...this.fetched.keys()].sort().filter((path) => path > after);
    const page = paths.slice(0, this.pageSize);
    return {
      files: page.filter((path) => !path.endsWith('/')).map((path) => fileOf(path, this.fetched.get(path)!)),
      folders: page.filter((path) => path.endsWith('/')),
      has_more: paths.length > page.length,
    };
  }

  async #sendFile(artifactRequest: ArtifactRequest, response: ServerResponse): Promise<void> {
    const content = this.fetched.get(artifactRequest.query.path!);
    if (!content) return json(response, 404, { message: `There is no file ${artifactRequest.query.path}.` });
    const from = Number(/^bytes=(\d+)-$/.exec(artifactRequest.headers.range ?? '')?.[1] ?? 0);
    const bytes = this.corrupt(artifactRequest, content).subarray(from);
    if (from > 0)
      response.writeHead(206, { 'Content-Length': bytes.length, 'Content-Range': `bytes ${from}-${content.length - 1}/${content.length}` });
    else response.writeHead(200, { 'Content-Length': bytes.length });
    await pipeline(this.#cutShort(piecesOf(bytes), response), response).catch(() => {});
  }

  async #sendArchive(artifactRequest: ArtifactRequest, paths: readonly string[], response: ServerResponse): Promise<void> {
    const parts = paths.flatMap((path) => {
      const content = this.corrupt(artifactRequest, this.fetched.get(path) ?? Buffer.alloc(0));
      return [tarHead({ path: `${this.archivePrefix}${path}`, bytes: content.length }), content, tarTail(content.length)];
    });
    response.writeHead(200, { 'Content-Type': 'application/x-tar' });
    await pipeline(this.#cutShort(piecesOf(Buffer.concat([...parts, TAR_END])), response), response).catch(() => {});
  }

  async *#cutShort(body: AsyncIterable<Buffer>, connection: { destroy(): void }): AsyncGenerator<Buffer> {
    let length = 0;
    for await (const chunk of body) {
      yield chunk;
      length += chunk.length;
      if (this.cutAfter === undefined || length < this.cutAfter) continue;
      this.cutAfter = undefined;
      // The bytes written so far are on their way; the rest never comes.
      await new Promise((resolve) => setTimeout(resolve, 50));
      connection.destroy();
      throw new Error('cut');
    }
  }
}

export function fileOf(path: string, content: Buffer): ArtifactFile {
  return { path, bytes: content.length, sha256: hash('sha256', content), md5: hash('md5', content) };
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Tests send thousands of small files: a stream for each takes many times as long as its content. */
async function digests(file: string, bytes: number): Promise<readonly string[]> {
  if (bytes <= READ_AT_ONCE) {
    const content = readFileSync(file);
    return ALGORITHMS.map((algorithm) => hash(algorithm, content));
  }
  const hashes = ALGORITHMS.map((algorithm) => createHash(algorithm));
  for await (const chunk of createReadStream(file, { highWaterMark: READ_AT_ONCE })) for (const one of hashes) one.update(chunk);
  return hashes.map((one) => one.digest('hex'));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
