// Forwards requests to the server that does background work, with the address of the client and the base of its links.
import { type Agent, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import type { Log } from '../../kit/log.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Scope } from '../../kit/telemetry/scope.ts';

export interface RequestForwarderParts {
  /** Whether this server answers such requests itself. */
  isKeeper(): boolean;
  /** Where the one is that does; undefined: none does at the moment. */
  url(): string | undefined;
  /** A signature that only servers with the same key can make. */
  sign(text: string): string;
  readonly agent: Agent;
  readonly log: Log;
}

/** The address of the client, the base of its links, the time and a signature: only servers that share a key can vouch for a client. */
const FORWARD_HEADER = 'x-svc-handed-on';
/** How much the clocks of two servers may differ; an older signature is not believed. */
const MAX_CLOCK_SKEW_MS = 60_000;
const CHANGING = 'Background work is moving to another server. Try again in a moment.';

export interface ForwardedClient {
  /** The address of the client. */
  readonly address: string;
  /** Where links start: scheme, host, port and context path as the client sees them. */
  readonly base: string;
}

interface RequestIds {
  readonly requestId: string;
  readonly scope: Pick<Scope, 'span'>;
}

export class RequestForwarder {
  readonly #parts: RequestForwarderParts;

  constructor(parts: RequestForwarderParts) {
    this.#parts = parts;
  }

  /** Whether a request to a route of background work has to go to another server. Refused: no server does that work at the moment. */
  mustForward(incoming: IncomingMessage): boolean {
    if (this.#parts.isKeeper()) return false;
    if (incoming.headers[FORWARD_HEADER] !== undefined || this.#parts.url() === undefined)
      throw new Refusal('unavailable', CHANGING, { retryAfter: 1 });
    return true;
  }

  /** The facts about the client as signed by another server, if it has forwarded the request. */
  forwardedClientOf(incoming: IncomingMessage, now = Date.now()): ForwardedClient | undefined {
    const given = incoming.headers[FORWARD_HEADER];
    if (typeof given !== 'string') return undefined;
    const [address = '', base = '', time = '', signature = ''] = given.split(' ');
    const isTimely = Math.abs(now - Number(time)) < MAX_CLOCK_SKEW_MS;
    return isTimely && isEqualTimingSafe(signature, this.#signature({ address, base }, time)) ? { address, base } : undefined;
  }

  /** `onFailure` is told when no answer has begun. */
  forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    client: ForwardedClient & RequestIds,
    onFailure: (refusal: Refusal) => void,
  ): void {
    // The path goes as it came: as part of a URL it could name another host.
    const { protocol, hostname, port } = new URL(this.#parts.url()!);
    const time = String(Date.now());
    const { expect, connection: _, ...headers } = incoming.headers;
    if (expect !== undefined) response.writeContinue();
    // Both servers name it alike in their logs and traces.
    headers['x-request-id'] = client.requestId;
    if (client.scope.span) headers.traceparent = client.scope.span.traceparent;
    headers[FORWARD_HEADER] = `${client.address} ${client.base} ${time} ${this.#signature(client, time)}`;
    const isSecure = protocol === 'https:';
    const request = isSecure ? secureRequest : plainRequest;
    const target = { protocol, hostname, port, path: incoming.url, method: incoming.method, headers };
    const sent = request({ ...target, ...(!isSecure && { agent: this.#parts.agent }) }, (answer) => {
      const { connection: __, 'keep-alive': ___, 'transfer-encoding': ____, ...others } = answer.headers;
      response.writeHead(answer.statusCode!, others);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    response.on('close', () => sent.destroy());
    sent.on('error', (failure) => {
      this.#parts.log.warn({ err: failure }, 'a request could not be forwarded to the server that does background work');
      if (response.headersSent) response.destroy();
      else onFailure(new Refusal('unavailable', CHANGING, { retryAfter: 1 }));
    });
    incoming.pipe(sent);
  }

  #signature({ address, base }: ForwardedClient, time: string): string {
    return this.#parts.sign(`${address} ${base} ${time}`);
  }
}
