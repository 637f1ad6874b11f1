// The senders of all webhooks that are enabled, from each `start` to the next `stop`: they come and go with the configuration.

import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import { queueFrom } from '../../store/webhook-queues.ts';
import { WebhookSender, type WebhookSenderParts } from './sender.ts';
import type { Webhook } from './webhook.ts';

export interface EnabledWebhook extends Webhook {
  /** Changes with anything about it. */
  readonly version: string;
}

export interface WebhookSendersParts extends WebhookSenderParts {
  /** As the configuration has them now. */
  enabled(): readonly EnabledWebhook[];
}

export class WebhookSenders {
  readonly #parts: WebhookSendersParts;
  readonly #senders = new Map<string, { readonly version: string; readonly sender: WebhookSender }>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #moving = new PendingWork();
  #isRunning = false;

  constructor(parts: WebhookSendersParts) {
    this.#parts = parts;
  }

  /** Delivers from now on, each webhook from its position in the database; no other server may deliver any more. */
  async start(): Promise<void> {
    this.#isRunning = true;
    this.follow();
  }

  /** To be called when webhooks have changed. */
  follow(): void {
    if (!this.#isRunning) return;
    const wanted = new Map(this.#parts.enabled().map((webhook) => [webhook.key, webhook]));
    for (const [key, { version, sender }] of this.#senders) if (wanted.get(key)?.version !== version) this.#dismiss(key, sender);
    for (const [key, webhook] of wanted) {
      if (this.#senders.has(key)) continue;
      this.#senders.set(key, { version: webhook.version, sender: new WebhookSender(this.#parts, webhook, this.#leaving.get(key)) });
    }
  }

  /** To be called when there are new events. */
  wake(): void {
    for (const { sender } of this.#senders.values()) sender.wake();
  }

  /** Delivers from this number on; of one that is disabled, when it is enabled. */
  async moveTo(key: string, from: number): Promise<void> {
    // Another server delivers, and would go on from its own position.
    if (!this.#isRunning) throw new NotKeeper();
    await this.#moving.add(this.#moveTo(key, from));
  }

  async #moveTo(key: string, from: number): Promise<void> {
    const { sender } = this.#senders.get(key) ?? {};
    if (sender) return sender.moveTo(from);
    await this.#leaving.get(key);
    await this.#parts.table.move(queueFrom(await this.#parts.table.open(key), from));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#moving.ended();
    for (const [key, { sender }] of this.#senders) this.#dismiss(key, sender);
    await Promise.all(this.#leaving.values());
  }

  #dismiss(key: string, sender: WebhookSender): void {
    this.#senders.delete(key);
    const leaving = sender.stop().then(() => {
      if (this.#leaving.get(key) === leaving) this.#leaving.delete(key);
    });
    this.#leaving.set(key, leaving);
  }
}
