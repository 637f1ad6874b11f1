// A client of the event stream, for tests: reads it as it comes, and can be made to stop reading.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';

export interface StreamedEvent {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: events have every shape
  readonly data: any;
}

export class StreamReader {
  readonly #request: ClientRequest;
  readonly response: IncomingMessage;
  readonly events: StreamedEvent[] = [];
  /** The types of the events, where they have one. */
  readonly types: string[] = [];
  readonly comments: string[] = [];
  hasEnded = false;
  #rest = '';

  private constructor(asked: ClientRequest, response: IncomingMessage) {
    this.#request = asked;
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('end', () => {
      this.hasEnded = true;
    });
    response.on('error', () => {});
  }

  static open(url: string, headers: Readonly<Record<string, string>>): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      const asked = request(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } }, (response) =>
        resolve(new StreamReader(asked, response)),
      );
      asked.once('error', reject);
      asked.end();
    });
  }

  get numbers(): number[] {
    return this.events.map(({ id }) => Number(id));
  }

  /** Waits until it has got so many. */
  async got(count: number): Promise<readonly StreamedEvent[]> {
    await this.until(() => this.events.length >= count);
    return this.events;
  }

  async until(isDone: () => boolean): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; !isDone(); await pause(5)) {
      if (Date.now() > end)
        throw new Error(`After ${PATIENCE_MS} ms: ${this.events.length} events, ${this.comments.join(' ')}, ended: ${this.hasEnded}`);
    }
  }

  stopReading(): void {
    this.response.pause();
  }

  readOn(): void {
    this.response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      if (fields.has('')) this.comments.push(fields.get('')!);
      if (fields.has('data')) this.types.push(fields.get('event') ?? 'message');
      if (fields.has('data')) this.events.push({ id: fields.get('id')!, data: JSON.parse(fields.get('data')!) });
    }
  }
}
