// All pages that listen: they get new notices, heartbeats, and an end; bounded in number, for each user and in all.
import { setImmediate } from 'node:timers/promises';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { ListeningClients } from '../listening-clients.ts';
import { LiveClient } from './live-client.ts';
import type { LiveView } from './notice.ts';
import type { NoticeBatch, NoticeLog } from './notice-log.ts';
import type { NoticePublisher } from './notice-publisher.ts';

export interface LiveRequest {
  readonly log: NoticeLog;
  /** The number of the last notice that the client has; undefined: its missed notices are unknown. */
  readonly position: number | undefined;
  readonly user: string;
  readonly view: LiveView;
  /** Checked now and then: a client that loses the right gets no more notices. */
  isStillAllowed(): boolean;
  /** The rights of its user, as a text that changes whenever they do. */
  rights(): string;
}

export interface LiveLimits {
  readonly max?: number;
  readonly maxOfUser?: number;
  readonly heartbeatMs?: number;
}

interface Listener {
  readonly request: LiveRequest;
  rights: string;
}

const LIMITS = { max: 2000, maxOfUser: 20, heartbeatMs: 15_000 };
const CHECK_MS = 1000;
const CLIENTS_AT_ONCE = 20;
const BYTES_AT_ONCE = 64 * 1024;
const MAX_IDLE_CHECKS = 4;
/** Where many come back at once they do not do so in the same moment. */
const RETRY_MS = { min: 1000, span: 2000 };
const MAX_SHARED = 1000;
const STOPPING = ': the server stops, or hands its work on. Come back with the last id.\n\n';
const SLOW = ': cut off, because this client does not read. Come back with the last id.\n\n';
const NOT_ALLOWED = 'event: end\ndata: {"status":401,"message":"You are not logged in any more, or may not use this server."}\n\n';

export class LiveStreams {
  readonly #publisher: NoticePublisher;
  readonly #limits: Required<LiveLimits>;
  readonly #clients: ListeningClients<LiveClient, Listener>;
  readonly #ofUser = new Map<string, number>();
  /** The notices taken since the last publication, for clients that want the same ones. */
  readonly #shared = new Map<string, NoticeBatch | undefined>();

  constructor(publisher: NoticePublisher, limits: LiveLimits = {}) {
    this.#publisher = publisher;
    this.#limits = { ...LIMITS, ...limits };
    const timers = [
      { everyMs: this.#limits.heartbeatMs, run: () => this.#sendHeartbeats() },
      { everyMs: CHECK_MS, run: () => this.#checkRights() },
    ];
    this.#clients = new ListeningClients({ paceMs: 0, pause, timers });
    publisher.listen(() => {
      this.#shared.clear();
      this.#clients.pump();
    });
  }

  get size(): number {
    return this.#clients.size;
  }

  get maxOfUser(): number {
    return this.#limits.maxOfUser;
  }

  open(request: LiveRequest): LiveClient | 'too many' | 'too many of this user' {
    const { user, view, log, position } = request;
    const key = user.toLowerCase();
    const ofUser = this.#ofUser.get(key) ?? 0;
    if (this.#clients.size >= this.#limits.max) return 'too many';
    if (ofUser >= this.#limits.maxOfUser) return 'too many of this user';
    const client: LiveClient = new LiveClient({
      log,
      position,
      retryMs: RETRY_MS.min + Math.floor(Math.random() * RETRY_MS.span),
      take: (from) => this.#take(log, view, from),
      onGone: () => this.#forget(client, key),
    });
    this.#ofUser.set(key, ofUser + 1);
    this.#clients.add(client, { request, rights: request.rights() });
    return client;
  }

  /** Rights may have changed: drops the bytes that clients share, and makes the clients reload whose rights are others now. */
  async rightsChanged(isForMany: boolean): Promise<void> {
    this.#shared.clear();
    if (!isForMany) return;
    let count = 0;
    for (const [client, listening] of this.#clients) {
      const rights = listening.request.rights();
      if (rights !== listening.rights) client.reload();
      listening.rights = rights;
      if (++count % CLIENTS_AT_ONCE === 0) await setImmediate();
    }
  }

  /** Ends all streams with a last message; does not wait for the clients. */
  closeAll(): void {
    for (const [client] of this.#clients) client.closeWith(STOPPING);
  }

  /** Clients that want the same from the same place on share the bytes. */
  #take(log: NoticeLog, view: LiveView, from: number): NoticeBatch | undefined {
    const key = `${from} ${view.key()}`;
    if (this.#shared.has(key)) return this.#shared.get(key);
    const taken = log.take(from, (notice) => view.wants(notice), { bytes: BYTES_AT_ONCE });
    if (this.#shared.size >= MAX_SHARED) this.#shared.clear();
    this.#shared.set(key, taken);
    return taken;
  }

  #sendHeartbeats(): void {
    for (const [client] of this.#clients) {
      if (client.isStalled(MAX_IDLE_CHECKS)) client.closeWith(SLOW);
      else client.sendHeartbeat();
    }
  }

  #checkRights(): void {
    for (const [client, { request }] of this.#clients) {
      if (request.log !== this.#publisher.log) client.closeWith(STOPPING);
      else if (!request.isStillAllowed()) client.closeWith(NOT_ALLOWED);
    }
  }

  #forget(client: LiveClient, user: string): void {
    if (!this.#clients.remove(client)) return;
    const left = (this.#ofUser.get(user) ?? 1) - 1;
    if (left > 0) this.#ofUser.set(user, left);
    else this.#ofUser.delete(user);
  }
}
