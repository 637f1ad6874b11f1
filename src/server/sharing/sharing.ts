// Joins this server to the others on its database: says that it is there, takes over background work, forwards requests.

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { hostname } from 'node:os';
import type { SharingStatistics } from '../../api/endpoints/metrics/sharing-metrics.ts';
import type { ReplicaFacts } from '../../api/endpoints/replicas/routes.ts';
import { RequestForwarder } from '../../api/http/forward-request.ts';
import type { ListenSettings } from '../../api/http/listen.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { Database, SharedDatabase } from '../../store/database.ts';
import { Leases } from '../../store/leases.ts';
import { NEWEST_SCHEMA } from '../../store/migrate.ts';
import type { BackgroundWork } from '../background.ts';
import { ownUrl } from '../builds/own-url.ts';
import { deleteKnownCommits } from './commit-retention.ts';
import { databaseProblem } from './database-problem.ts';
import { KEEPER, Keeper } from './keeper.ts';
import { Replicas, SILENT_MS } from './replicas.ts';
import { secureAgent } from './secure-agent.ts';

export interface SharingParts {
  readonly database: Database;
  readonly shared: SharedDatabase;
  readonly runner: PeriodicRunner;
  readonly log: Log;
  readonly version: string;
}

/** The facts that are known once the server is open. */
export interface JoinFacts {
  /** Where the others reach it. */
  readonly url: string;
  readonly plugins: string;
  readonly work: BackgroundWork;
}

const HEARTBEAT_MS = 1000;
const FORGET_EVERY_MS = 60 * 60_000;
const DELETE_COMMITS_EVERY_MS = 10 * 60_000;

/** Undefined: this server has its database for itself. */
export function openSharing(parts: Omit<SharingParts, 'shared'>): Sharing | undefined {
  const { shared } = parts.database;
  return shared && new Sharing({ ...parts, shared });
}

export class Sharing {
  readonly #parts: SharingParts;
  readonly #id = randomUUID().slice(0, 8);
  readonly #startedAt = new Date();
  readonly #leases: Leases;
  readonly #agent = new Agent({ keepAlive: true });
  #secureAgent: SecureAgent | undefined;
  #keeper: Keeper | undefined;
  #replicas: Replicas | undefined;
  #keeperUrl: string | undefined;
  #forwarder: RequestForwarder | undefined;
  #isOutdated = false;
  #keeperChanges = 0;
  /** How far the clock of the database is ahead of the monotonic clock of this process, as of the last heartbeat. */
  #clockAhead = Date.now() - performance.now();
  #hasLeft = false;
  #lastHeartbeat: Promise<void> = Promise.resolve();

  constructor(parts: SharingParts) {
    this.#parts = parts;
    this.#leases = new Leases(parts.database);
  }

  /** The database for background work: without the lease nothing is written. */
  get keeperDatabase(): Database {
    return this.#parts.shared.fencedBy(() => this.#keeper?.lease);
  }

  /** `certificate`: the own one, as PEM. */
  requestForwarder(cipher: Cipher, certificate: string | undefined): RequestForwarder {
    this.#secureAgent = secureAgent(certificate);
    this.#forwarder = new RequestForwarder({
      isKeeper: () => this.#keeper?.isKeeper === true,
      url: () => this.#keeperUrl,
      obstacle: () => databaseProblem(this.#parts.shared)?.withoutKeeper,
      sign: (text) => cipher.sign(text),
      now: () => Math.floor(performance.now() + this.#clockAhead),
      agent: this.#agent,
      secureAgent: this.#secureAgent,
      log: this.#parts.log,
    });
    return this.#forwarder;
  }

  /** Refuses when this server does not fit to those that are there. */
  async join({ url, plugins, work }: JoinFacts): Promise<void> {
    const { database, shared, runner, log, version } = this.#parts;
    const replicas = new Replicas(database, { id: this.#id, url, version, plugins, startedAt: this.#startedAt });
    // Of servers that start together each sees those before it.
    await shared.alone(async () => {
      const others = (await replicas.all()).filter(({ silence }) => silence < SILENT_MS);
      mustFit(plugins, others);
      this.#replicas = replicas;
      await this.#heartbeat();
    });
    this.#keeper = new Keeper({
      take: (milliseconds) => this.#leases.take(KEEPER, this.#id, milliseconds),
      release: (lease) => this.#leases.release(lease),
      start: () => work.start(),
      stop: () => work.stop(),
      onChanged: (isKeeper) => {
        this.#keeperChanges++;
        log.info(
          { replica: this.#id },
          isKeeper ? 'this server does the background work now' : 'another server may do the background work now',
        );
      },
      onFailure: (failure, message) => log.error({ err: failure }, message),
    });
    runner.add({
      name: 'heartbeat to other servers',
      when: { every: HEARTBEAT_MS },
      where: 'everywhere',
      runsWhilePaused: true,
      // Work that has failed is tried again later and later. Until this succeeds, nobody counts on this server, and it does not know the keeper.
      run: () =>
        this.#heartbeat().catch((failure: unknown) => log.error({ err: failure }, 'the other servers could not learn of this one')),
    });
    runner.add({
      name: 'servers that are gone',
      when: { every: FORGET_EVERY_MS },
      runsWhilePaused: true,
      run: () => replicas.forgetGone(),
    });
    runner.add({
      name: 'commits that all servers know',
      when: { every: DELETE_COMMITS_EVERY_MS },
      runsWhilePaused: true,
      run: (signal) => deleteKnownCommits(database, signal),
    });
    await this.#keeper.start();
    await this.#heartbeat();
  }

  async leave(): Promise<void> {
    await this.#keeper?.stop();
    this.#agent.destroy();
    this.#secureAgent?.destroy();
    // A heartbeat that comes later would bring this server back.
    this.#hasLeft = true;
    await this.#lastHeartbeat.catch(() => {}); // reported by the caller of #heartbeat
    await this.#replicas
      ?.leave()
      .catch((failure: unknown) => this.#parts.log.warn({ err: failure }, 'the other servers could not be notified that this one stops'));
  }

  statistics(): SharingStatistics {
    return { ...this.#parts.shared.statistics(), isKeeper: this.#keeper?.isKeeper === true, keeperChanges: this.#keeperChanges };
  }

  async list(): Promise<ReplicaFacts[]> {
    const [all, holder] = await Promise.all([this.#replicas?.all() ?? [], this.#leases.holder(KEEPER)]);
    return all.map(({ id, url, host, version, started_at, silence, lag }) => ({
      id,
      url,
      host,
      version,
      startedAt: started_at,
      silence: Math.max(0, silence),
      lag,
      isKeeper: id === holder,
      isThis: id === this.#id,
    }));
  }

  #heartbeat(): Promise<void> {
    if (!this.#hasLeft) this.#lastHeartbeat = this.#sendHeartbeat();
    return this.#lastHeartbeat;
  }

  async #sendHeartbeat(): Promise<void> {
    const { database, shared } = this.#parts;
    await this.#replicas!.sendHeartbeat(shared.commit);
    const holder = await this.#leases.holder(KEEPER);
    this.#keeperUrl = holder === undefined ? undefined : await this.#replicas!.urlOf(holder);
    if (this.#keeperUrl !== undefined) this.#forwarder?.giveUpElsewhere();
    const { version, now } = await database.query
      .selectFrom('schema_version')
      .select(['version', database.clock.as('now')])
      .executeTakeFirstOrThrow();
    this.#clockAhead = now - performance.now();
    if (version > NEWEST_SCHEMA) this.#stopServer();
  }

  /**
   * As an administrator would: running requests and work are finished, and another server goes on. It ends as a failure, so that a
   * supervisor starts it again, with the new version once that is installed.
   */
  #stopServer(): void {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    this.#parts.log.error({}, 'a newer version has changed the tables of the database, so this server stops; start it with that version');
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }
}

function mustFit(plugins: string, others: readonly { readonly plugins: string; readonly host: string; readonly url: string }[]): void {
  const other = others.find((one) => one.plugins !== plugins);
  if (!other) return;
  throw new Error(
    `The server on ${other.host} (${other.url}) has other plugins than this one. All servers on one database need the same files in their plugins directories: make them the same, or stop that server first.`,
  );
}

/** Where the others reach this server, when no setting says it: as clients do, so that passwords and tokens travel as safely. */
export function replicaUrl(
  { replicaUrl: set, tls }: Pick<ListenSettings, 'tls'> & { readonly replicaUrl: string | undefined },
  addresses: readonly string[],
): string {
  return set ?? ownUrl(addresses, { tls, contextPath: '' }, hostname);
}
