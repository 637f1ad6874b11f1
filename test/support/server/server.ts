// A server of its own for a test: real database, real password file, real port.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from '../../../src/kit/log.ts';
import { type Extensions, type RunningServer, startServer } from '../../../src/server/server.ts';
import { readSettings, type Settings } from '../../../src/server/settings.ts';
import { databaseUrlOf } from '../database/database.ts';
import { basic } from '../requests/basic.ts';
import { DryRunFirst, isOn } from '../requests/dry-run-first.ts';
import type { Ask, Reply } from '../requests/exchange.ts';
import { HttpClient } from '../requests/http-client.ts';
import { quickHash } from './quick-login.ts';

export { basic } from '../requests/basic.ts';
export type { Ask, Reply } from '../requests/exchange.ts';

export const ADMIN_PASSWORD = 'correct horse battery staple';

export class TestServer {
  readonly dataDir: string;
  readonly lines: string[] = [];
  readonly #client = new HttpClient();
  #running: RunningServer | undefined;
  #addresses: readonly string[] = [];
  #isEmbedded = false;
  readonly #options: Readonly<Record<string, string>>;
  readonly #extensions: Extensions;
  readonly #dryRunFirst = isOn ? new DryRunFirst((method, path, ask) => this.#askOnce(method, path, ask)) : undefined;

  private constructor(dataDir: string, options: Readonly<Record<string, string>>, extensions: Extensions) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#extensions = { hashPassword: async (password) => quickHash(password), ...extensions };
  }

  static async start(options: Readonly<Record<string, string>> = {}, extensions: Extensions = {}): Promise<TestServer> {
    const server = new TestServer(mkdtempSync(join(tmpdir(), 'slipway-test-')), options, extensions);
    await server.boot();
    return server;
  }

  /** Starts a server with the embedded database even when other tests use PostgreSQL, for tests that take its database elsewhere. */
  static async startEmbedded(options: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    const server = new TestServer(mkdtempSync(join(tmpdir(), 'slipway-test-')), options, {});
    server.#isEmbedded = true;
    await server.boot();
    return server;
  }

  async boot(): Promise<void> {
    const url = this.#isEmbedded ? undefined : await databaseUrlOf(this.dataDir);
    const options = { ...(url !== undefined && { 'database-url': url }), ...this.#options };
    this.#running = await startServer(settingsFor(this.dataDir, options), this.#log(), this.#extensions);
    this.#addresses = this.#running.addresses;
  }

  /** Stops it and starts it again on the same data. */
  async restart(meanwhile: () => void | Promise<void> = () => {}): Promise<void> {
    await this.#running!.stop();
    await meanwhile();
    await this.boot();
  }

  /** Leaves nothing of it in memory: the module of a test keeps its variables until the process ends. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
    this.#client.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  get url(): string {
    return this.#addresses[0]!;
  }

  /** All that it listens on. */
  get addresses(): readonly string[] {
    return this.#addresses;
  }

  get log(): string {
    return this.lines.join('');
  }

  /** Asks as the administrator, for the newest version, unless told otherwise. */
  ask(method: string, path: string, ask: Ask = {}): Promise<Reply> {
    return this.#dryRunFirst?.ask(method, path, ask) ?? this.#askOnce(method, path, ask);
  }

  async #askOnce(
    method: string,
    path: string,
    { accept = 'application/vnd.svc+json', headers = {}, body, text, as = basic('admin', ADMIN_PASSWORD) }: Ask = {},
  ): Promise<Reply> {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await this.#client.send(this.url + path, {
      method,
      headers: {
        Accept: accept ?? '*/*',
        ...(as !== '' && { Authorization: as }),
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: sent,
    });
    const isJson = reply.text !== '' && (reply.headers.get('content-type') ?? '').includes('json');
    return { ...reply, json: isJson ? JSON.parse(reply.text) : undefined, etag: reply.headers.get('etag') ?? undefined };
  }

  get = (path: string, ask?: Ask) => this.ask('GET', path, ask);
  post = (path: string, body: unknown, ask?: Ask) => this.ask('POST', path, { body, ...ask });
  patch = (path: string, body: unknown, ask?: Ask) => this.ask('PATCH', path, { body, ...ask });
  delete = (path: string, ask?: Ask) => this.ask('DELETE', path, ask);
  put = (path: string, body: unknown, etag?: string, ask?: Ask) =>
    this.ask('PUT', path, { body, ...ask, headers: { ...(etag !== undefined && { 'If-Match': etag }), ...ask?.headers } });

  #log(): Log {
    return pino({ level: 'info' }, { write: (line: string) => this.lines.push(line) });
  }
}

function settingsFor(dataDir: string, options: Readonly<Record<string, string>>): Settings {
  const flags = {
    'data-dir': dataDir,
    port: '0',
    'admin-password': ADMIN_PASSWORD,
    // The repositories of most tests do not exist, so the server polls them only when told to.
    'material-interval': '0',
    // Repositories that exist are on this machine.
    'allow-loopback': 'true',
    'local-repositories': tmpdir(),
    'local-agents': '0',
    ...options,
  };
  const verdict = readSettings(
    Object.entries(flags).flatMap(([flag, value]) => (isVariable(flag) ? [] : [`--${flag}`, value])),
    Object.fromEntries(Object.entries(flags).filter(([name]) => isVariable(name))),
  );
  if (!('settings' in verdict)) throw new Error(JSON.stringify(verdict));
  return verdict.settings;
}

/** Settings that other programs read, too, are given as variables only. */
function isVariable(name: string): boolean {
  return /^(?:AWS|OTEL)_/.test(name);
}
