// The rows of events, and of the webhooks that they go out by.
import type { Generated } from 'kysely';

/** An event: see docs/operate/events.md for the hashed fields. */
export interface EventRow {
  /** 1, 2, 3 … without gaps. */
  number: number;
  /** JSON, with the hash of the event before it. */
  body: string;
  /** The SHA-256 of the body. */
  hash: string;
}

/** The progress of an outgoing webhook: all events up to its position are delivered. The row goes when the webhook is deleted. */
export interface WebhookQueueRow {
  id: Generated<number>;
  webhook: string;
  /** The number of the last event that was delivered, or was not wanted. */
  position: number;
  /** In a row. */
  failures: number;
  failing_since: string | null;
  last_error: string | null;
  delivered_at: string | null;
}

/** One attempt to deliver one event; the last ones are kept. */
export interface WebhookDeliveryRow {
  id: Generated<number>;
  queue_id: number;
  event: number;
  type: string;
  attempt: number;
  time: string;
  milliseconds: number;
  /** null: there was no answer. */
  status: number | null;
  error: string | null;
}
