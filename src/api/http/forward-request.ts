// Forwards requests to the server that does background work, with the address of the client and the base of its links.
import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
  type ServerResponse,
} from 'node:http';
import { type Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import type { Log } from '../../kit/log.ts';
import { OutcomeUnknown } from '../../kit/outcome-unknown.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Scope } from '../../kit/telemetry/scope.ts';
import { endAfterBody } from './reply.ts';

export interface RequestForwarderParts {
  /** Whether this server answers such requests itself. */
  isKeeper(): boolean;
  /** Where the one is that does; undefined: none does at the moment. */
  url(): string | undefined;
  /** The refusal to answer when this server cannot know that; undefined: it can. */
  obstacle(): string | undefined;
  /** A signature that only servers with the same key can make. */
  sign(text: string): string;
  /** Milliseconds, by the clock of the database: those of the machines may be hours apart. */
  now(): number;
  readonly agent: Agent;
  readonly secureAgent: SecureAgent;
  readonly log: Log;
}

/** The address of the client, the base of its links, the time and a signature: only servers that share a key can vouch for a client. */
const FORWARD_HEADER = 'x-svc-handed-on';
/** An older signature is not trusted, so that a header that was seen once is of no use for long. */
const MAX_AGE_MS = 60_000;
const WARN_EVERY_MS = 60_000;
const NOT_TRUSTED = 'This request says that another server has forwarded it, and that cannot be verified. The log of this server says why.';
const CHANGING = 'Background work is moving to another server. Try again in a moment.';
const STOPPING = 'The server is about to stop. Try again in a moment.';
export const CUT_OFF =
  'The server that does background work was lost during this request. It is not known whether it was done. Look before you try again.';

/** They are about one connection only. Node builds its own; some of those of a client it would refuse with an exception. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface ForwardedClient {
  /** The address of the client. */
  readonly address: string;
  /** Where links start: scheme, host, port and context path as the client sees them. */
  readonly base: string;
}

/** The facts about a client, or why they are not trusted. */
type ClientCheck = ForwardedClient | { readonly problem: string };

interface RequestIds {
  readonly requestId: string;
  readonly scope: Pick<Scope, 'span'>;
}

interface ForwardOptions {
  /** Called when no answer has begun. */
  onFailure(failure: Refusal | OutcomeUnknown): void;
  /** It waits until there is something to report, and can be asked again. */
  readonly isHeld: boolean;
}

export class RequestForwarder {
  readonly #parts: RequestForwarderParts;
  /** Requests without an answer so far, each with the address it went to. */
  readonly #unanswered = new Map<ClientRequest, string>();
  /** Responses that may wait for long, each with how it is ended. */
  readonly #held = new Map<ServerResponse, () => void>();
  #isStopping = false;
  readonly #clientChecks = new WeakMap<IncomingMessage, ClientCheck>();
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RequestForwarderParts) {
    this.#parts = parts;
  }

  /** Gives up requests to a server that does the work no longer: it may hang, or its machine may be lost, and it would never answer. */
  giveUpElsewhere(): void {
    const url = this.#parts.url();
    for (const [sent, to] of this.#unanswered) if (to !== url) sent.destroy(new Error('Another server does the background work now.'));
  }

  /** This server is about to stop: what waits for something to happen would keep it from that. */
  endHeld(): void {
    this.#isStopping = true;
    for (const end of this.#held.values()) end();
  }

  /** Whether a request to a route of background work has to go to another server. Refused: no server does that work at the moment. */
  mustForward(incoming: IncomingMessage): boolean {
    if (this.#parts.isKeeper()) return false;
    if (this.isForwarded(incoming) || this.#parts.url() === undefined) throw this.#noKeeper();
    return true;
  }

  /** Whether it says so; `mustBeTrusted` says whether it is true. */
  isForwarded(incoming: IncomingMessage): boolean {
    return incoming.headers[FORWARD_HEADER] !== undefined;
  }

  /**
   * Refuses a request with facts about its client that are not trusted. Served as one of the server that has sent it, it would come from
   * the address of that server: tokens that are limited to addresses would count, and failed logins would be counted for all clients.
   */
  mustBeTrusted(incoming: IncomingMessage): void {
    const check = this.#clientCheckOf(incoming);
    if (!check || !('problem' in check)) return;
    // Anybody can send the header, and must not fill the log.
    if (performance.now() - this.#warnedAt >= WARN_EVERY_MS) {
      this.#warnedAt = performance.now();
      this.#parts.log.warn({ from: incoming.socket.remoteAddress, problem: check.problem }, 'a forwarded request is refused');
    }
    throw new Refusal('unavailable', NOT_TRUSTED, { retryAfter: 1 });
  }

  /** The facts about the client as signed by another server, if it has forwarded the request. */
  forwardedClientOf(incoming: IncomingMessage): ForwardedClient | undefined {
    const check = this.#clientCheckOf(incoming);
    return check && !('problem' in check) ? check : undefined;
  }

  forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    client: ForwardedClient & RequestIds,
    { onFailure, isHeld }: ForwardOptions,
  ): void {
    const url = this.#parts.url()!;
    // The path goes as it came: as part of a URL it could name another host.
    const { protocol, hostname, port } = new URL(url);
    const isSecure = protocol === 'https:';
    const target = {
      protocol,
      hostname,
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...forwardedHeaders(incoming), ...this.#headersFor(client) },
    };
    const { agent, secureAgent } = this.#parts;
    const sent = isSecure ? secureRequest({ ...target, agent: secureAgent }) : plainRequest({ ...target, agent });
    this.#unanswered.set(sent, url);
    sent.on('close', () => this.#unanswered.delete(sent));
    const hasBegun = watchConnection(sent, isSecure);
    response.on('close', () => sent.destroy());
    const fail = (failure: Error): void => {
      if (response.closed) return; // the client has gone
      this.#parts.log.warn({ err: failure }, 'a request could not be forwarded to the server that does background work');
      if (response.headersSent) response.destroy();
      else if (hasBegun() && !CHANGES_NOTHING.has(incoming.method!)) onFailure(new OutcomeUnknown(CUT_OFF, { cause: failure }));
      else onFailure(this.#noKeeper());
    };
    sent.on('error', fail);
    sent.on('response', (answer) => {
      this.#unanswered.delete(sent);
      this.#held.delete(response);
      try {
        forwardAnswer(answer, incoming, response);
        if (isStream(answer)) this.#hold(response, () => endStream(answer, response));
      } catch (failure) {
        answer.destroy();
        fail(failure as Error);
      }
    });
    // Without a listener Node would close the connection and report nothing.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new Error('The answer changes the protocol.'));
    });
    forwardBody(incoming, response, sent);
    if (isHeld) this.#hold(response, () => onFailure(new Refusal('unavailable', STOPPING, { retryAfter: 1 })));
  }

  #noKeeper(): Refusal {
    return new Refusal('unavailable', this.#parts.obstacle() ?? CHANGING, { retryAfter: 1 });
  }

  #hold(response: ServerResponse, end: () => void): void {
    this.#held.set(response, end);
    response.on('close', () => this.#held.delete(response));
    if (this.#isStopping) end();
  }

  /** Made once, when the request has just come: its body may take longer than the signature is trusted. */
  #clientCheckOf(incoming: IncomingMessage): ClientCheck | undefined {
    const given = incoming.headers[FORWARD_HEADER];
    if (given === undefined) return undefined;
    const check = this.#clientChecks.get(incoming) ?? this.#checkClient(String(given));
    this.#clientChecks.set(incoming, check);
    return check;
  }

  #checkClient(given: string): ClientCheck {
    const [address = '', base = '', time = '', signature = ''] = given.split(' ');
    if (!isEqualTimingSafe(signature, this.#signature({ address, base }, time)))
      return { problem: 'It is not signed by a server that has the same cipher key.' };
    const age = this.#parts.now() - Number(time);
    return Math.abs(age) < MAX_AGE_MS ? { address, base } : { problem: `By the clock of the database, it was signed ${age} ms ago.` };
  }

  /** Both servers name the request alike in their logs and traces. */
  #headersFor(client: ForwardedClient & RequestIds): Record<string, string> {
    const time = String(this.#parts.now());
    return {
      'x-request-id': client.requestId,
      ...(client.scope.span && { traceparent: client.scope.span.traceparent }),
      [FORWARD_HEADER]: `${client.address} ${client.base} ${time} ${this.#signature(client, time)}`,
    };
  }

  #signature({ address, base }: ForwardedClient, time: string): string {
    return this.#parts.sign(`${address} ${base} ${time}`);
  }
}

function forwardedHeaders(incoming: IncomingMessage): OutgoingHttpHeaders {
  const { headers } = incoming;
  return {
    ...withoutConnection(headers),
    // A body of unknown length stays one: Node would not expect it with every method.
    ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
    ...(awaitsContinue(incoming) && { expect: '100-continue' }),
  };
}

/** Any other expectation was refused before. */
function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1';
}

/** A client that waits to be asked for its body is asked when the other server does so, which is after the login. */
function forwardBody(incoming: IncomingMessage, response: ServerResponse, sent: ClientRequest): void {
  if (!awaitsContinue(incoming)) {
    incoming.pipe(sent);
    return;
  }
  const { shouldKeepAlive } = response;
  // Until then it may or may not still send the body, so the connection could not be reused.
  response.shouldKeepAlive = false;
  sent.once('continue', () => {
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
    incoming.pipe(sent);
  });
}

function withoutConnection(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

/** Throws where the answer cannot be passed on, such as one with a status that does not exist. */
function forwardAnswer(answer: IncomingMessage, incoming: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode!, withoutConnection(answer.headers));
  if (response.shouldKeepAlive) answer.pipe(response);
  else answer.once('end', () => endAfterBody(incoming, response, '')).pipe(response, { end: false });
  answer.on('error', () => response.destroy());
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** It goes on elsewhere after the last event that the client has. */
function endStream(answer: IncomingMessage, response: ServerResponse): void {
  answer.unpipe(response);
  response.end();
}

/** Returns a function: whether anything of a request may have reached the other server. */
function watchConnection(sent: ClientRequest, isSecure: boolean): () => boolean {
  let isConnected = false;
  sent.on('socket', (socket) => {
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true));
    else isConnected = true;
  });
  return () => isConnected;
}
