// Several servers on one PostgreSQL database, each in a process of its own, for tests that kill, stop and cut them off.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Rows } from '../database/postgres-rows.ts';
import { basic } from '../requests/basic.ts';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.ts';
import { Replica } from './replica.ts';

export const ENVIRONMENTS = '/api/admin/environments';
export const ADMIN = basic('admin', 'secret');

export interface ReplicasOptions {
  readonly flags?: readonly string[];
  /** Whether each reaches the database by a line of its own, which can be cut. */
  readonly isProxied?: boolean;
}

export interface StartOptions {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export class Replicas {
  readonly all: Replica[] = [];
  /** Looks at the tables themselves. */
  readonly rows: Rows;
  readonly databaseUrl: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'slipway-replicas-'));
  readonly #prepared: Replica[] = [];
  readonly #proxies: TcpProxy[] = [];
  readonly #options: ReplicasOptions;
  #token = '';

  private constructor(databaseUrl: string, options: ReplicasOptions) {
    this.databaseUrl = databaseUrl;
    this.#options = options;
    this.rows = new Rows(databaseUrl);
    this.writeKey('cipher.key');
  }

  /** The first makes the database, and a token for all; the others start together. */
  static async start(databaseUrl: string, count: number, options: ReplicasOptions = {}): Promise<Replicas> {
    const replicas = new Replicas(databaseUrl, options);
    try {
      await replicas.add();
      await Promise.all(Array.from({ length: count - 1 }, () => replicas.add()));
    } catch (failure) {
      await replicas.stop();
      throw failure;
    }
    return replicas;
  }

  /** Starts one more server. */
  async add(options: StartOptions = {}): Promise<Replica> {
    const replica = await this.prepare(options);
    await replica.start();
    if (this.#token === '') this.#token = await newToken(replica, ADMIN);
    replica.as = this.#token;
    this.all.push(replica);
    return replica;
  }

  /** Prepares one more server that is not started yet; its options win over those of all. */
  async prepare({ flags = [], environment = {} }: StartOptions = {}): Promise<Replica> {
    const dataDir = join(this.#folder, `r${this.#prepared.length}`);
    mkdirSync(dataDir);
    const { port } = new URL(this.databaseUrl);
    const proxy = this.#options.isProxied ? await startTcpProxy(Number(port)) : undefined;
    if (proxy) this.#proxies.push(proxy);
    const database = Object.assign(new URL(this.databaseUrl), { port: proxy?.port ?? port }).href;
    const common = ['--database-url', database, '--cipher-key-file', join(this.#folder, 'cipher.key'), '--log-level', 'warn'];
    const replica = new Replica({ dataDir, proxy, flags: [...common, ...(this.#options.flags ?? []), ...flags], environment });
    this.#prepared.push(replica);
    return replica;
  }

  /** Makes up a key, and gives its path. */
  writeKey(name: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
    return path;
  }

  /** The one that does the background work, as this one says. */
  async keeper(asked = this.all[0]!): Promise<Replica | undefined> {
    const { json } = await asked.get('/api/admin/replicas');
    const url = json._embedded.replicas.find((one: { readonly keeper: boolean }) => one.keeper)?.url;
    return this.all.find((replica) => replica.isUp && replica.url === url);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#prepared.map((replica) => replica.close()));
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    await this.rows.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The Authorization header with a new token. */
export async function newToken(replica: Replica, as: string, limits: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const reply = await replica.post('/api/current_user/access_tokens', { description: 'for tests', ...limits }, { as });
  assert.equal(reply.status, 200, reply.text);
  return `Bearer ${reply.json.token}`;
}
