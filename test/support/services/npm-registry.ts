// A small npm registry that the stock npm program publishes to and reads from, and the npm program itself.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { PATIENCE_MS } from '../patience.ts';
import { startWebServer, type WebServer } from './web-server.ts';

const run = promisify(execFile);
const ABBREVIATED = 'application/vnd.npm.install-v1+json';

// biome-ignore lint/suspicious/noExplicitAny: documents of the registry have every shape
type Any = any;

/** The members of a version in the short form of a package document. */
const SHORT_VERSION = ['name', 'version', 'dependencies', 'dist', 'engines', 'bin', 'deprecated'];

export const TOKEN = 'npm-secret-token-0123456789';
export const LOGIN = { user: 'jez', password: 'npm secret password' };

export class NpmRegistry {
  readonly #web: WebServer;
  readonly #packages = new Map<string, Any>();
  readonly #tarballs = new Map<string, Buffer>();
  readonly #isClosed: boolean;
  readonly #home = mkdtempSync(join(tmpdir(), 'slipway-npm-'));
  #folders = 0;

  private constructor(web: WebServer, isClosed: boolean) {
    this.#web = web;
    this.#isClosed = isClosed;
    const host = new URL(web.url).host;
    writeFileSync(join(this.#home, '.npmrc'), `registry=${web.url}/\n//${host}/:_authToken=${TOKEN}\nupdate-notifier=false\nfund=false\n`);
  }

  /** A closed one shows nothing without a login. */
  static async start({ isClosed = false } = {}): Promise<NpmRegistry> {
    let registry: NpmRegistry | undefined;
    const web = await startWebServer((request, response) => registry!.#answer(request, response));
    registry = new NpmRegistry(web, isClosed);
    return registry;
  }

  get url(): string {
    return this.#web.url;
  }

  get requests(): string[] {
    return this.#web.requests;
  }

  async stop(): Promise<void> {
    await this.#web.stop();
    rmSync(this.#home, { recursive: true });
  }

  /** The stock npm, without the settings of the user who runs the tests. */
  async npm(cwd: string, ...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: this.#home, npm_config_cache: join(this.#home, 'cache'), npm_config_loglevel: 'error' };
    return (await run('npm', [...args, '--userconfig', join(this.#home, '.npmrc')], { cwd, env, timeout: PATIENCE_MS })).stdout;
  }

  async publish(manifest: { name: string; version: string; description?: string }, ...args: string[]): Promise<void> {
    const folder = join(this.#home, `package-${++this.#folders}`);
    await run('mkdir', [folder]);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'index.js'), 'export const answer = 42;\n');
    await this.npm(folder, 'publish', ...args);
  }

  tag(name: string, version: string, tag: string): Promise<string> {
    return this.npm(this.#home, 'dist-tag', 'add', `${name}@${version}`, tag);
  }

  view(...args: string[]): Promise<string> {
    return this.npm(this.#home, 'view', ...args);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url!, this.url).pathname.split('/').slice(1).map(decodeURIComponent);
    const tarball = path[1] === '-' && this.#tarballs.get(`${path[0]}/${path[2]}`);
    if (tarball) response.end(tarball);
    else send(request, response, await this.#document(request, path));
  }

  async #document(request: IncomingMessage, [first = '', ...rest]: readonly string[]): Promise<Document> {
    const login = loginOf(request);
    const isWrite = request.method !== 'GET';
    if (first === '-' && rest[0] === 'ping') return { status: 200, body: {} };
    const isKept = isWrite || this.#isClosed || request.headers.authorization !== undefined;
    if (login === undefined && isKept) return { status: 401, body: { error: 'unauthorized' } };
    const body = isWrite ? JSON.parse(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()) : undefined;
    if (first === '-' && rest[0] === 'whoami') return { status: 200, body: { username: login } };
    if (first === '-' && rest[0] === 'package') return this.#tags(rest[1]!, rest[3], body);
    if (isWrite) return this.#published(body, login!);
    const found = this.#packages.get(first);
    if (!found || rest.length > 0) return NOT_FOUND;
    const isShort = request.headers.accept?.includes(ABBREVIATED);
    return isShort ? { status: 200, body: shortened(found), type: ABBREVIATED } : { status: 200, body: found };
  }

  #tags(name: string, tag: string | undefined, version: string | undefined): Document {
    const found = this.#packages.get(name);
    if (!found) return NOT_FOUND;
    if (version !== undefined) found['dist-tags'][tag!] = version;
    return { status: version === undefined ? 200 : 201, body: found['dist-tags'] };
  }

  #published(body: Any, login: string): Document {
    const found = this.#packages.get(body.name) ?? { _id: body.name, name: body.name, 'dist-tags': {}, versions: {}, time: {} };
    const now = new Date().toISOString();
    for (const [version, manifest] of Object.entries<Any>(body.versions)) {
      if (found.versions[version]) return { status: 403, body: { error: 'You cannot publish over the previously published versions.' } };
      found.versions[version] = { ...manifest, _npmUser: { name: login, email: `${login}@example.org` } };
      found.time[version] = now;
    }
    for (const [file, { data }] of Object.entries<Any>(body._attachments)) {
      this.#tarballs.set(`${body.name}/${file}`, Buffer.from(data, 'base64'));
    }
    Object.assign(found['dist-tags'], body['dist-tags']);
    found.time.modified = now;
    this.#packages.set(body.name, found);
    return { status: 201, body: { ok: true } };
  }
}

interface Document {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
}

const NOT_FOUND: Document = { status: 404, body: { error: 'not_found' } };

function loginOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  const basic = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
  return authorization === `Bearer ${TOKEN}` || authorization === basic ? LOGIN.user : undefined;
}

function shortened({ name, 'dist-tags': tags, versions, time }: Any): unknown {
  const shortVersions = Object.entries<Any>(versions).map(([version, manifest]) => [
    version,
    Object.fromEntries(Object.entries(manifest).filter(([key]) => SHORT_VERSION.includes(key))),
  ]);
  return { name, 'dist-tags': tags, versions: Object.fromEntries(shortVersions), modified: time.modified };
}

function send({ headers }: IncomingMessage, response: ServerResponse, { status, body, type = 'application/json' }: Document): void {
  const text = JSON.stringify(body);
  const etag = `"${createHash('sha1').update(text).digest('hex')}"`;
  const isSame = headers['if-none-match'] === etag;
  const isPacked = /\bgzip\b/.test(String(headers['accept-encoding']));
  response.writeHead(isSame ? 304 : status, { 'content-type': type, etag, ...(isPacked && !isSame && { 'content-encoding': 'gzip' }) });
  if (isSame) response.end();
  else response.end(isPacked ? gzipSync(text) : text);
}
