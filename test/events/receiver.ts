// A receiver of webhooks, for tests: records deliveries, checks signatures, and fails when it is told to.
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import { startWebServer, type WebServer } from '../support/services/web-server.ts';

export const SECRET = 'not-to-be-seen-5f2c';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: events have every shape
  readonly event: any;
  readonly isAccepted: boolean;
}

export class Receiver {
  readonly received: Received[] = [];
  /** Answers a delivery; it may take its time. */
  answer: (response: ServerResponse, received: Omit<Received, 'isAccepted'>) => void | Promise<void> = (response) =>
    void response.writeHead(204).end();
  #web!: WebServer;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#web = await startWebServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const got = { headers: request.headers, body, event: JSON.parse(body) };
      await receiver.answer(response, got);
      receiver.received.push({ ...got, isAccepted: response.statusCode >= 200 && response.statusCode < 300 });
    });
    return receiver;
  }

  get url(): string {
    return `${this.#web.url}/hook`;
  }

  /** The numbers of the events that it took, in the order they came. */
  get numbers(): number[] {
    return this.received.filter(({ isAccepted }) => isAccepted).map(({ event }) => event.number);
  }

  async until(isDone: () => boolean): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; !isDone(); await pause(5)) {
      if (Date.now() > end) throw new Error(`After ${PATIENCE_MS} ms: ${JSON.stringify(this.numbers)}`);
    }
  }

  stop(): Promise<void> {
    return this.#web.stop();
  }
}

export function signatureProblems({ headers, body }: Received, secret = SECRET): string[] {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const time = headers['x-svc-timestamp'];
  return [
    ...(headers['x-svc-signature-256'] === `sha256=${hmac(body)}` ? [] : ['the signature of the body']),
    ...(headers['x-svc-timed-signature-256'] === `t=${time},sha256=${hmac(`${time}.${body}`)}` ? [] : ['the signature with the time']),
    ...(Math.abs(Date.now() / 1000 - Number(time)) < 60 ? [] : ['the time']),
  ];
}
