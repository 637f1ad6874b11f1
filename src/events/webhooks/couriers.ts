// The couriers of all webhooks that are enabled: they come and go with the configuration.
import { queueFrom } from '../../store/webhook-queues.ts';
import { Courier, type CourierParts } from './courier.ts';
import { deliver, testEvent } from './delivery.ts';
import type { PostOutcome } from './post.ts';
import type { Webhook } from './webhook.ts';

export interface EnabledWebhook extends Webhook {
  /** Changes with anything about it. */
  readonly mark: string;
}

export interface CouriersParts extends CourierParts {
  /** As the configuration has them now. */
  enabled(): readonly EnabledWebhook[];
}

export class Couriers {
  readonly #parts: CouriersParts;
  readonly #couriers = new Map<string, { readonly mark: string; readonly courier: Courier }>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #isRunning = false;

  constructor(parts: CouriersParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.follow();
  }

  /** To be called when webhooks have changed. */
  follow(): void {
    if (!this.#isRunning) return;
    const wanted = new Map(this.#parts.enabled().map((webhook) => [webhook.key, webhook]));
    for (const [key, { mark, courier }] of this.#couriers) if (wanted.get(key)?.mark !== mark) this.#dismiss(key, courier);
    for (const [key, webhook] of wanted) {
      if (this.#couriers.has(key)) continue;
      this.#couriers.set(key, { mark: webhook.mark, courier: new Courier(this.#parts, webhook, this.#leaving.get(key)) });
    }
  }

  /** To be called when there are new events. */
  wake(): void {
    for (const { courier } of this.#couriers.values()) courier.wake();
  }

  /** Delivers from this number on; of one that is disabled, when it is enabled. */
  async moveTo(key: string, from: number): Promise<void> {
    const { courier } = this.#couriers.get(key) ?? {};
    if (courier) return courier.moveTo(from);
    await this.#leaving.get(key);
    await this.#parts.table.move(queueFrom(await this.#parts.table.open(key), from));
  }

  /** Sends something to try it out, and says what came of it. */
  tryOut(webhook: Webhook, actor: string): Promise<PostOutcome> {
    const { poster, userAgent } = this.#parts;
    const now = Date.now();
    return deliver(poster, webhook, testEvent(webhook, actor, now), { attempt: 1, now, userAgent, signal: this.#stopping.signal });
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#stopping.abort();
    for (const [key, { courier }] of this.#couriers) this.#dismiss(key, courier);
    await Promise.all(this.#leaving.values());
  }

  #dismiss(key: string, courier: Courier): void {
    this.#couriers.delete(key);
    const leaving = courier.stop().then(() => {
      if (this.#leaving.get(key) === leaving) this.#leaving.delete(key);
    });
    this.#leaving.set(key, leaving);
  }
}
