// Sends spans to a receiver by OTLP over HTTP: some at a time, one request after the other. Excess spans are dropped and counted.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs } from '../concurrency/retry/exponential-back-off.ts';
import { otlpTraces, type Source } from './otlp-json.ts';
import type { FinishedSpan } from './span.ts';
import type { SpanQueue } from './tracer.ts';

export interface ExporterParts {
  readonly url: URL;
  /** Logins of the receiver, for example. */
  readonly headers: Readonly<Record<string, string>>;
  readonly source: Source;
  /** It cannot be reached, or refuses: called once for each time that this begins. */
  onTrouble(reason: string): void;
  onBack(): void;
  readonly limits?: Partial<Limits>;
}

interface Limits {
  /** Maximum number of spans that wait. */
  readonly waiting: number;
  /** Maximum number of spans that are sent at a time. */
  readonly batch: number;
  /** How long the first of them waits for others. */
  readonly delayMs: number;
  readonly answerMs: number;
  /** Before the second attempt; each one after that waits twice as long. */
  readonly firstPauseMs: number;
  /** Time limit of a stop for sending the remaining spans. */
  readonly closingMs: number;
}

interface Outcome {
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  readonly reason: string;
  /** Spans that a receiver has not taken although it took others. */
  readonly rejected: number;
  readonly retryAfterMs: number | undefined;
}

const LIMITS: Limits = { waiting: 4096, batch: 512, delayMs: 2000, answerMs: 10_000, firstPauseMs: 1000, closingMs: 3000 };
const MAX_ATTEMPTS = 5;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_PAUSE_MS = 60_000;
const MAX_REASON_LENGTH = 200;
/** Answers after which, by the protocol, another attempt is worth it. */
const PASSING = new Set<number | undefined>([undefined, 429, 502, 503, 504]);

export class OtlpExporter implements SpanQueue {
  readonly #parts: ExporterParts;
  readonly #limits: Limits;
  readonly #agent: HttpAgent;
  readonly #closing = new AbortController();
  #waiting: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #sent = 0;
  #dropped = 0;
  #isInTrouble = false;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
    this.#agent = new (parts.url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  }

  add(span: FinishedSpan): void {
    if (this.#waiting.length >= this.#limits.waiting || this.#closing.signal.aborted) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= this.#limits.batch) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#limits.delayMs).unref();
  }

  counts() {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  async close(): Promise<void> {
    const tooLong = setTimeout(() => this.#closing.abort(), this.#limits.closingMs);
    this.#send();
    await this.#sending;
    clearTimeout(tooLong);
    this.#closing.abort();
    this.#dropped += this.#waiting.splice(0).length;
    this.#agent.destroy();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closing.signal.aborted) {
      const batch = this.#waiting.splice(0, this.#limits.batch);
      const rejected = await this.#deliver(batch);
      this.#dropped += rejected;
      this.#sent += batch.length - rejected;
    }
    // Before the promise settles, so that a call of `#send` that comes now does not rely on a run that has ended.
    this.#sending = undefined;
  }

  /** Gives how many of them were not taken in the end. */
  async #deliver(batch: readonly FinishedSpan[]): Promise<number> {
    const body = Buffer.from(JSON.stringify(otlpTraces(batch, this.#parts.source)));
    for (let attempt = 1; ; attempt++) {
      const { status, reason, rejected, retryAfterMs } = await this.#post(body);
      if (status !== undefined && status >= 200 && status < 300) {
        this.#note(undefined);
        return Math.min(rejected, batch.length);
      }
      this.#note(reason);
      if (!PASSING.has(status) || attempt === MAX_ATTEMPTS || this.#closing.signal.aborted) return batch.length;
      const pause = Math.min(retryAfterMs ?? backOffMs({ firstMs: this.#limits.firstPauseMs, maxMs: MAX_PAUSE_MS }, attempt), MAX_PAUSE_MS);
      await delay(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {}); // the server stops
    }
  }

  #note(trouble: string | undefined): void {
    const { onTrouble, onBack } = this.#parts;
    if (trouble !== undefined && !this.#isInTrouble) onTrouble(trouble);
    if (trouble === undefined && this.#isInTrouble) onBack();
    this.#isInTrouble = trouble !== undefined;
  }

  #post(body: Buffer): Promise<Outcome> {
    const { url, headers } = this.#parts;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.answerMs)]);
    const sent = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    return new Promise((resolve) => {
      const failed = ({ code, name }: NodeJS.ErrnoException) =>
        resolve({ status: undefined, reason: code ?? name, rejected: 0, retryAfterMs: undefined });
      const request = send(url, { method: 'POST', headers: sent, agent: this.#agent, signal });
      request.once('error', failed);
      request.once('response', (response) => void outcomeOf(response).then(resolve, failed));
      request.end(body);
    });
  }
}

async function outcomeOf(response: IncomingMessage): Promise<Outcome> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) break; // it is not as the protocol has it
    chunks.push(chunk);
  }
  const status = response.statusCode;
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
  return {
    status,
    reason: `status ${status}`.slice(0, MAX_REASON_LENGTH),
    rejected: rejectedIn(Buffer.concat(chunks).toString()),
    retryAfterMs,
  };
}

/** Some receivers answer with nothing, or with something else than JSON. */
function rejectedIn(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { readonly partialSuccess?: { readonly rejectedSpans?: string | number } };
    return Number(partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
