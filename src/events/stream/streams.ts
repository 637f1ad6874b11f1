// All clients of the event stream: notified of new events, sent heartbeats, and bounded in number.
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { type EventFilter, matcherOf } from '../event-filter.ts';
import type { EventLog } from '../event-log.ts';
import { ListeningClients } from '../listening-clients.ts';
import { Frames } from './frames.ts';
import { commentOf, NOT_ALLOWED, SLOW, StreamClient } from './stream-client.ts';

export interface StreamRequest {
  /** The number of the last event that the client has. */
  readonly after: number;
  readonly filter: EventFilter;
  /** Asked before each delivery and with each heartbeat: a client that loses the right gets no more events. */
  isStillAllowed(): boolean;
}

const MAX_CLIENTS = 1000;
/** Events within this time go out together, in one write. */
const PACE_MS = 50;
/** Between so many clients others have their turn. */
const CLIENTS_AT_ONCE = 20;
const HEARTBEAT_MS = 15_000;
const MAX_IDLE_CHECKS = 4;
const MAX_CLOSE_MS = 2000;
const RETRY_MS = 2000;
const STOPPING = 'the server stops. This client can go on after the last id that it has.';

export class EventStreams {
  readonly #log: EventLog;
  readonly #maxClients: number;
  readonly #frames = new Frames();
  readonly #clients: ListeningClients<StreamClient, StreamRequest>;

  constructor(log: EventLog, { maxClients = MAX_CLIENTS, heartbeatMs = HEARTBEAT_MS } = {}) {
    this.#log = log;
    this.#maxClients = maxClients;
    let pumped = 0;
    const pause = () => (++pumped % CLIENTS_AT_ONCE === 0 ? setImmediate() : undefined);
    const timers = [{ everyMs: heartbeatMs, run: () => this.#sendHeartbeats() }];
    this.#clients = new ListeningClients({ paceMs: PACE_MS, pause, timers });
    log.listen(() => this.#clients.pump());
  }

  /** The text of a new stream; undefined: there are too many. */
  open(request: StreamRequest): StreamClient | undefined {
    if (this.#clients.size >= this.#maxClients) return undefined;
    const client = new StreamClient({
      log: this.#log,
      frames: this.#frames,
      position: request.after,
      wants: matcherOf(request.filter),
      isStillAllowed: request.isStillAllowed,
      onGone: () => this.#clients.remove(client),
    });
    this.#clients.add(client, request);
    client.push(`retry: ${RETRY_MS}\n: events after ${request.after}\n\n`);
    return client;
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Says goodbye; those that do not read it are not waited for. */
  async stop(): Promise<void> {
    for (const [client] of this.#clients) client.closeWith(commentOf(STOPPING));
    const end = Date.now() + MAX_CLOSE_MS;
    while (this.#clients.size > 0 && Date.now() < end) await delay(10);
    for (const [client] of this.#clients) client.destroy();
  }

  #sendHeartbeats(): void {
    for (const [client, { isStillAllowed }] of this.#clients) {
      if (!isStillAllowed()) client.closeWith(commentOf(NOT_ALLOWED));
      else if (client.isStalled(MAX_IDLE_CHECKS)) client.closeWith(commentOf(SLOW));
      else client.comment('still here');
    }
  }
}
