// Delivers the events of one webhook: in order, each until the receiver has taken it, and the next one not before.
import { setTimeout as delay } from 'node:timers/promises';
import type { HealthReports } from '../../kit/health-reports.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import { type Queue, queueFrom, type WebhookQueues } from '../../store/webhook-queues.ts';
import { type EventMatcher, matcherOf } from '../event-filter.ts';
import type { EventLog } from '../event-log.ts';
import type { StoredEvent } from '../stored-event.ts';
import { waitAfter } from './back-off.ts';
import { deliver } from './delivery.ts';
import type { Poster, PostOutcome } from './post.ts';
import { reportProblem } from './report-problem.ts';
import type { Webhook } from './webhook.ts';

export interface WebhookSenderParts {
  readonly log: Pick<EventLog, 'after'>;
  readonly table: Pick<WebhookQueues, 'open' | 'note' | 'move'>;
  readonly poster: Pick<Poster, 'post'>;
  readonly health: HealthReports;
  readonly userAgent: string;
  onFault(failure: unknown, message: string): void;
  readonly waitAfter?: (failuresInARow: number) => number;
  /** Undefined: no traces are made. */
  readonly tracer?: Pick<Tracer, 'trace'> | undefined;
}

const EVENTS_AT_ONCE = 100;
/** The position after unwanted events is stored now and then: after a crash they are only filtered again. */
const MAX_UNNOTED = 1000;
const PAUSE_AFTER_FAULT_MS = 10_000;
const MAX_SLEEP_MS = 60 * 60_000;

export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #webhook: Webhook;
  readonly #wants: EventMatcher | undefined;
  readonly #stopping = new AbortController();
  readonly #run: Promise<void>;
  #queue: Queue | undefined;
  /** Everything up to it is delivered or was not wanted. */
  #position = 0;
  /** `moveTo` has set another position while this sender was at work. */
  #isMoved = false;
  #alarm = new AbortController();

  /** Begins when the one before it, for the same webhook, has ended. */
  constructor(parts: WebhookSenderParts, webhook: Webhook, before: Promise<void> = Promise.resolve()) {
    this.#parts = parts;
    this.#webhook = webhook;
    this.#wants = matcherOf(webhook.filter);
    this.#run = before.then(() => this.#work());
  }

  /** There are new events. One that waits after a failure goes on waiting. */
  wake(): void {
    if ((this.#queue?.failures ?? 0) === 0) this.#alarm.abort();
  }

  /** Delivers from this number on, at once. */
  async moveTo(from: number): Promise<void> {
    const queue = this.#queue ?? (await this.#parts.table.open(this.#webhook.key));
    this.#queue = queueFrom(queue, from);
    this.#position = this.#queue.position;
    this.#isMoved = true;
    await this.#parts.table.move(this.#queue);
    this.#alarm.abort();
  }

  /** A running delivery is cut off, and will be sent again. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#alarm.abort();
    return this.#run;
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        if (!this.#queue) await this.#openQueue();
        await this.#deliverSome();
      } catch (failure) {
        if (this.#stopping.signal.aborted) break;
        this.#parts.onFault(failure, `the events of the webhook ${this.#webhook.id} could not be delivered by a fault of the server`);
        await this.#sleep(PAUSE_AFTER_FAULT_MS);
      }
    }
    reportProblem(this.#parts.health, this.#webhook, undefined);
  }

  async #openQueue(): Promise<void> {
    const queue = await this.#parts.table.open(this.#webhook.key);
    if (this.#queue) return; // moved meanwhile
    this.#queue = queue;
    this.#position = queue.position;
  }

  async #deliverSome(): Promise<void> {
    this.#isMoved = false;
    const events = await this.#parts.log.after(this.#position, EVENTS_AT_ONCE);
    if (events.length === 0) return this.#sleep();
    for (const event of events) {
      if (this.#isMoved || this.#stopping.signal.aborted) return;
      if ((this.#wants?.(event) ?? true) && !(await this.#deliver(event))) return this.#sleep(this.#wait);
      if (this.#isMoved) return;
      this.#position = event.number;
    }
    if (this.#position - this.#queue!.position >= MAX_UNNOTED) await this.#note({ ...this.#queue!, position: this.#position });
  }

  async #deliver(event: StoredEvent): Promise<boolean> {
    const { poster, userAgent, tracer } = this.#parts;
    const now = Date.now();
    const attempt = this.#queue!.failures + 1;
    const send = () => deliver(poster, this.#webhook, event, { attempt, now, userAgent, signal: this.#stopping.signal });
    const about = { 'slipway.webhook': this.#webhook.id, 'slipway.event': event.number, 'slipway.attempt': attempt };
    const outcome = await (tracer ? tracer.trace('webhook delivery', about, send) : send());
    await this.#keep(event, attempt, new Date(now).toISOString(), outcome);
    return outcome.error === undefined;
  }

  async #keep(
    { number, content }: StoredEvent,
    attempt: number,
    time: string,
    { status, error, milliseconds }: PostOutcome,
  ): Promise<void> {
    const { id } = this.#queue!;
    const delivery = {
      queue_id: id,
      event: number,
      type: content.type,
      attempt,
      time,
      milliseconds,
      status: status ?? null,
      error: error ?? null,
    };
    const next = this.#isMoved ? this.#queue! : after(this.#queue!, number, time, error);
    // Also when it cannot be noted: as long as the server runs, it knows which events are delivered.
    this.#position = Math.max(this.#position, next.position);
    reportProblem(this.#parts.health, this.#webhook, next);
    await this.#note(next, delivery);
  }

  async #note(queue: Queue, delivery?: Parameters<WebhookQueues['note']>[1]): Promise<void> {
    this.#queue = queue;
    await this.#parts.table.note(queue, delivery);
  }

  get #wait(): number {
    return (this.#parts.waitAfter ?? waitAfter)(this.#queue!.failures);
  }

  /** After a failure for so long, even if there are new events; otherwise until there are some, or have been meanwhile. */
  async #sleep(afterFailureMs?: number): Promise<void> {
    if (this.#isMoved || this.#stopping.signal.aborted) return;
    if (afterFailureMs !== undefined) this.#alarm = new AbortController();
    const { signal } = this.#alarm;
    await delay(afterFailureMs ?? MAX_SLEEP_MS, undefined, { signal, ref: false }).catch(() => {}); // woken
    this.#alarm = new AbortController();
  }
}

function after(queue: Queue, number: number, time: string, error: string | undefined): Queue {
  return error === undefined
    ? { ...queue, position: number, failures: 0, failing_since: null, last_error: null, delivered_at: time }
    : { ...queue, failures: queue.failures + 1, failing_since: queue.failing_since ?? time, last_error: error };
}
