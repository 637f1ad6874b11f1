// Clients that follow consoles: each gets lines as fast as it reads them, heartbeats, and an end.
import { Readable } from 'node:stream';
import { type LineBlock, linesIn } from '../../../builds/console/lines.ts';

export interface FollowParts {
  /** Ends when the signal aborts, or when the job is completed. */
  readonly blocks: (signal: AbortSignal) => AsyncGenerator<LineBlock>;
  /** Asked before each delivery and with each heartbeat: the stream of a client that has lost the right is closed. */
  isStillAllowed(): boolean;
}

export interface FollowLimits {
  readonly maxClients?: number;
  readonly heartbeatMs?: number;
}

const MAX_BUFFERED = 64 * 1024;
const MAX_CLIENTS = 1000;
const HEARTBEAT_MS = 15_000;
const MAX_IDLE_LOOKS = 4;
const MAX_LAST_WRITE_MS = 10_000;
const RETRY_MS = 2000;
const COMPLETED = 'the job is completed';
const STOPPING = 'the server stops. This client can go on after the last id that it has.';
const NOT_ALLOWED = 'cut off: this client may not see this console any more.';

export class FollowStreams {
  readonly #limits: Required<FollowLimits>;
  readonly #stopping: AbortSignal;
  readonly #clients = new Set<FollowStream>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(stopping: AbortSignal, limits: FollowLimits = {}) {
    this.#limits = { maxClients: MAX_CLIENTS, heartbeatMs: HEARTBEAT_MS, ...limits };
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#each((client) => client.closeWith(STOPPING)), { once: true });
  }

  get isFull(): boolean {
    return this.#stopping.aborted || this.#clients.size >= this.#limits.maxClients;
  }

  open(parts: FollowParts): FollowStream {
    const client: FollowStream = new FollowStream(parts, () => this.#forget(client));
    this.#clients.add(client);
    this.#heartbeat ??= setInterval(() => this.#each((one) => one.sendHeartbeat()), this.#limits.heartbeatMs).unref();
    return client;
  }

  #each(act: (client: FollowStream) => void): void {
    for (const client of this.#clients) act(client);
  }

  #forget(client: FollowStream): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

class FollowStream extends Readable {
  readonly #parts: FollowParts;
  readonly #onGone: () => void;
  readonly #leaving = new AbortController();
  readonly #blocks: AsyncGenerator<LineBlock>;
  /** The client has read all lines sent so far. */
  #isReady = false;
  #isTaking = false;
  #hasEnded = false;
  /** Looks at it without any progress. */
  #idleLooks = 0;

  constructor(parts: FollowParts, onGone: () => void) {
    super({ highWaterMark: MAX_BUFFERED });
    this.#parts = parts;
    this.#onGone = onGone;
    this.#blocks = parts.blocks(this.#leaving.signal);
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  override _read(): void {
    this.#isReady = true;
    this.#idleLooks = 0;
    if (!this.#isTaking && !this.#hasEnded) void this.#take();
  }

  override _destroy(failure: Error | null, done: (failure?: Error | null) => void): void {
    this.#hasEnded = true;
    this.#leave();
    this.#onGone();
    done(failure);
  }

  sendHeartbeat(): void {
    if (this.#hasEnded) return;
    if (!this.#parts.isStillAllowed()) this.closeWith(NOT_ALLOWED);
    else if (this.#isReady) this.push(': still here\n\n');
    // It would not read a last message either, and can go on after the last id that it has.
    else if (++this.#idleLooks > MAX_IDLE_LOOKS) this.destroy();
  }

  /** The last message it gets. */
  closeWith(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(`: ${reason}\n\n`);
    this.push(null);
    this.#leave();
    setTimeout(() => this.destroy(), MAX_LAST_WRITE_MS).unref();
  }

  async #take(): Promise<void> {
    this.#isTaking = true;
    try {
      while (this.#isReady) {
        const { value } = await this.#blocks.next();
        if (this.#hasEnded) return;
        if (value === undefined) {
          this.closeWith(COMPLETED);
          return;
        }
        if (!this.#parts.isStillAllowed()) {
          this.closeWith(NOT_ALLOWED);
          return;
        }
        this.#isReady = false;
        this.push(linesIn(value).map(eventOf).join(''));
      }
    } catch (failure) {
      this.destroy(failure as Error);
    } finally {
      this.#isTaking = false;
    }
  }

  /** Lets go of the file. */
  #leave(): void {
    this.#leaving.abort();
    this.#blocks.return(undefined).catch((failure: unknown) => this.destroy(failure as Error));
  }
}

function eventOf(line: { readonly line: number }): string {
  return `id: ${line.line}\ndata: ${JSON.stringify(line)}\n\n`;
}
