// Joins the consumers of events to the server: streams, pages, and the webhooks that events go out by.
import { type Identity, withoutScopes } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import { eventRoutes } from '../../api/endpoints/events/routes.ts';
import { outgoingWebhookRoutes } from '../../api/endpoints/outgoing-webhooks/routes.ts';
import { ofKeeper } from '../../api/engine/keeper-routes.ts';
import type { Route } from '../../api/engine/route.ts';
import { mustExist } from '../../api/engine/verbs/must-exist.ts';
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import type { Entry } from '../../config/entry.ts';
import { EventsVerification } from '../../events/events-verification.ts';
import { EventStreams } from '../../events/stream/streams.ts';
import { backlogOf } from '../../events/webhooks/backlog.ts';
import { sendTestDelivery } from '../../events/webhooks/delivery.ts';
import { Poster } from '../../events/webhooks/post.ts';
import { type EnabledWebhook, WebhookSenders } from '../../events/webhooks/senders.ts';
import type { Webhook } from '../../events/webhooks/webhook.ts';
import type { HealthMessages } from '../../health/messages.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { Log } from '../../kit/log.ts';
import type { NetworkPolicy } from '../../kit/network/reach.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Kind } from '../../shape/resource.ts';
import type { Database } from '../../store/database.ts';
import type { DatabaseSource } from '../../store/source.ts';
import { WebhookQueues } from '../../store/webhook-queues.ts';
import { type OpenEventLog, WEBHOOKS } from './event-log.ts';
import { keepsWebhooksInReach } from './webhooks/webhook-addresses.ts';
import { knowsFilteredResources } from './webhooks/webhook-filters.ts';

interface Parts {
  readonly log: Log;
  /** For the records of deliveries. */
  readonly keeperDatabase: Database;
  readonly config: Config;
  readonly changes: Changes;
  readonly cipher: Cipher;
  readonly health: HealthMessages;
  readonly access: Access;
  isStillAllowed(identity: Identity): boolean;
  /** Where webhooks may go. */
  readonly networkPolicy: NetworkPolicy;
  readonly version: string;
  /** Where the events are read that are checked. */
  readonly source: DatabaseSource;
  readonly tracer?: Tracer | undefined;
}

export interface OpenEvents {
  readonly routes: readonly Route[];
  /** Delivers from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
  stopStreams(): Promise<void>;
  /** When nothing happens any more. */
  close(): Promise<void>;
}

export function openEvents(log: OpenEventLog, parts: Parts): OpenEvents {
  const { config, access } = parts;
  const streams = new EventStreams(log.events);
  const verification = new EventsVerification(parts.source);
  const isStillAllowed = (identity: Identity) => access.isAdmin(withoutScopes(identity)) && parts.isStillAllowed(identity);
  const kind = config.kinds.has(WEBHOOKS) ? config.kind(WEBHOOKS) : undefined;
  const webhooks = kind && openWebhooks(kind, log, parts);
  return {
    routes: [...eventRoutes({ log: log.events, streams, verification, isStillAllowed }), ...ofKeeper(webhooks?.routes ?? [])],
    start: async () => webhooks?.senders.start(),
    stop: async () => webhooks?.senders.stop(),
    stopStreams: async () => {
      await Promise.all([streams.stop(), verification.stop()]);
    },
    close: async () => {
      webhooks?.close();
      await log.events.settle();
    },
  };
}

function openWebhooks(
  kind: Kind<'outgoingWebhooks'>,
  { events }: OpenEventLog,
  { config, changes, cipher, health, log, networkPolicy, version, keeperDatabase, tracer }: Parts,
) {
  const entries = config.of(kind.name);
  const mustFind = (id: string) => mustExist(kind, id, entries.find(id));
  const queues = new WebhookQueues(keeperDatabase, WEBHOOKS);
  const poster = new Poster({ networkPolicy });
  const userAgent = `Slipway/${version}`;
  const closing = new AbortController();
  const senders = new WebhookSenders({
    log: events,
    table: queues,
    poster,
    health,
    userAgent,
    tracer,
    onFault: (failure, message) => log.error({ err: failure }, message),
    enabled: () => [...entries.all()].filter(({ value }) => value.enabled).map((entry) => marked(entry, cipher)),
  });
  changes.addCheck(keepsWebhooksInReach(networkPolicy));
  changes.addCheck(knowsFilteredResources(config.kinds.values()));
  events.listen(() => senders.wake());
  changes.listen(({ edits }) => {
    if (edits.some((edit) => edit.kind === kind)) senders.follow();
  });
  const routes = outgoingWebhookRoutes({
    mustFind: (id) => ({ key: mustFind(id).key, id: mustFind(id).value.id }),
    newestEvent: () => events.last.number,
    queueOf: (key) => queues.open(key),
    backlog: (key, position) => backlogOf(events, mustFind(key).value.filter, position),
    deliveries: (queue, limit, before) => queues.deliveries(queue, limit, before),
    replay: (key, from) => senders.moveTo(key, from),
    sendTestDelivery: (key, actor) =>
      sendTestDelivery(poster, webhookIn(mustFind(key), cipher), { actor, userAgent, signal: closing.signal }),
  });
  const close = () => {
    closing.abort();
    poster.close();
  };
  return { senders, routes, close };
}

function marked(entry: Entry<EntityNamed<'outgoingWebhooks'>>, cipher: Cipher): EnabledWebhook {
  return { ...webhookIn(entry, cipher), version: `${entry.created} ${entry.etag}` };
}

function webhookIn({ key, value: { id, url, secret, filter } }: Entry<EntityNamed<'outgoingWebhooks'>>, cipher: Cipher): Webhook {
  return { key, id, url, filter, secret: secret ? cipher.decrypt(secret.cipherText) : undefined };
}
