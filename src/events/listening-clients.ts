// All clients of one kind of stream: sent news in rounds, one round after the other, and looked after by timers while there are any.
import { setTimeout as delay } from 'node:timers/promises';
import { CoalescedTask } from '../kit/concurrency/coalesced-task.ts';
import type { Pause } from '../kit/concurrency/time-slices.ts';
import type { ReadingClient } from './reading-client.ts';

interface Parts {
  /** News within this time after a round go out together, in the next one. */
  readonly paceMs: number;
  /** Called between clients. */
  readonly pause: Pause;
  readonly timers: readonly { readonly everyMs: number; run(): void }[];
}

export class ListeningClients<Client extends ReadingClient, Request> {
  readonly #parts: Parts;
  readonly #clients = new Map<Client, Request>();
  readonly #round = new CoalescedTask(() => this.#pumpAll());
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#clients.size;
  }

  [Symbol.iterator](): Iterator<[Client, Request]> {
    return this.#clients[Symbol.iterator]();
  }

  add(client: Client, request: Request): void {
    this.#clients.set(client, request);
    if (this.#timers.length === 0) this.#timers = this.#parts.timers.map(({ everyMs, run }) => setInterval(run, everyMs).unref());
  }

  /** False: it was not among them. */
  remove(client: Client): boolean {
    const isRemoved = this.#clients.delete(client);
    if (this.#clients.size > 0) return isRemoved;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    return isRemoved;
  }

  /** There is something new. */
  pump(): void {
    void this.#round.run();
  }

  async #pumpAll(): Promise<void> {
    const { pause, paceMs } = this.#parts;
    for (const client of this.#clients.keys()) {
      client.pump();
      const wait = pause();
      if (wait) await wait;
    }
    await delay(paceMs, undefined, { ref: false });
  }
}
