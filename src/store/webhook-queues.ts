// The deliveries of outgoing webhooks, in their tables: only the statements, not their timing.
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from './database.ts';
import type { TouchedEntity } from './revisions/changes.ts';
import type { WebhookDeliveryRow, WebhookQueueRow } from './rows/events.ts';

export type Queue = Omit<WebhookQueueRow, 'id'> & { readonly id: number };
export type Delivery = Omit<WebhookDeliveryRow, 'id'>;
export type StoredDelivery = Delivery & { readonly id: number };

/** Number of attempts of each webhook that are kept. */
export const MAX_DELIVERIES = 200;
const FRESH = { failures: 0, failing_since: null, last_error: null, delivered_at: null };

/** A queue that goes on from a number, as if nothing had failed. */
export function queueFrom(queue: Queue, from: number): Queue {
  return { ...queue, position: from - 1, failures: 0, failing_since: null, last_error: null };
}

export class WebhookQueues {
  readonly #database: Database;
  readonly #kind: string;

  /** `kind`: the kind of webhooks in the configuration. */
  constructor(database: Database, kind: string) {
    this.#database = database;
    this.#kind = kind;
  }

  /** For the transaction in which webhooks come and go: a new one starts after the event of its creation. */
  extraStatements(touched: readonly TouchedEntity[]): CompiledQuery[] {
    const { query } = this.#database;
    return touched.flatMap(({ kind, key, operation }) => {
      if (kind !== this.#kind || operation === 'update') return [];
      const remove = query.deleteFrom('webhook_queues').where('webhook', '=', key).compile();
      return operation === 'create' ? [remove, this.#insert(key)] : [remove];
    });
  }

  /** There is always one, except for webhooks that came into the configuration by other ways than changes. */
  async open(webhook: string): Promise<Queue> {
    const found = await this.find(webhook);
    if (found) return found;
    await this.#database.writeTransaction([this.#insert(webhook)]);
    return (await this.find(webhook))!;
  }

  find(webhook: string): Promise<Queue | undefined> {
    return this.#database.query.selectFrom('webhook_queues').selectAll().where('webhook', '=', webhook).executeTakeFirst();
  }

  /** The newest first. */
  deliveries(queue: number, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<StoredDelivery[]> {
    return this.#database.query
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('queue_id', '=', queue)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Sets the position as a request asked for; it is on disk before the request is answered. */
  move({ id, ...queue }: Queue): Promise<void> {
    return this.#database.writeTransaction([this.#database.query.updateTable('webhook_queues').set(queue).where('id', '=', id).compile()]);
  }

  /** Does not wait for the disk: if a power cut loses the note, the event is delivered once more. */
  note({ id, ...queue }: Queue, delivery?: Delivery): Promise<void> {
    const { query } = this.#database;
    const update = query.updateTable('webhook_queues').set(queue).where('id', '=', id).compile();
    if (!delivery) return this.#database.writeRelaxed([update]);
    const insert = query.insertInto('webhook_deliveries').values(delivery).compile();
    return this.#database.writeRelaxed([update, insert, this.#trim(id)]);
  }

  #trim(queue: number): CompiledQuery {
    const { query } = this.#database;
    const kept = query
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('queue_id', '=', queue)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(MAX_DELIVERIES - 1);
    return query.deleteFrom('webhook_deliveries').where('queue_id', '=', queue).where('id', '<', kept).compile();
  }

  #insert(webhook: string): CompiledQuery {
    const position = sql<number>`(select coalesce(max(number), 0) from events)`;
    return this.#database.query
      .insertInto('webhook_queues')
      .values({ webhook, position, ...FRESH })
      .compile();
  }
}
