// One request under way, as handlers see it; rarely needed values are computed only on demand.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../../access/identity.ts';
import type { Draft } from '../../config/draft.ts';
import type { Author } from '../../config/revision.ts';
import { ByteBudget } from '../../kit/concurrency/limits/byte-budget.ts';
import { Scope } from '../../kit/telemetry/scope.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { ApiRequest, RawBody } from '../engine/route.ts';
import { type MayHold, rawBodyOf } from './body/body.ts';
import { flagIn } from './flag-in.ts';
import { headerText } from './headers/header-text.ts';
import type { NegotiatedRoute } from './headers/negotiate.ts';
import { requestIdOf } from './headers/request-id.ts';

interface RequestContext {
  readonly baseOf: (request: IncomingMessage) => string;
  readonly addressOf: (request: IncomingMessage) => string;
}

type Response = Pick<ServerResponse, 'writeContinue' | 'once'>;

const UNKNOWN: Identity = { loginName: 'unknown', displayName: 'unknown', tokenId: null, authConfigId: '' };
const MAX_REASON_LENGTH = 1000;
const NO_BODY: JsonObject = {};
/** Of all requests whose senders need no login. */
const unauthenticatedBodies = new ByteBudget(64 * 1024 * 1024);
const NO_HEADERS: readonly string[] = [];
const NO_PARAMS: ApiRequest['params'] = {};
/** Until it is known which one it is. */
const NO_SCOPE = new Scope({});

export class Exchange implements ApiRequest {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly startedAt = performance.now();
  readonly requestId: string;
  scope = NO_SCOPE;
  readonly #queryText: string;
  readonly #context: RequestContext;
  identity = UNKNOWN;
  negotiated: NegotiatedRoute | undefined;
  params = NO_PARAMS;
  body = NO_BODY;
  /** Headers that every answer carries, also a refusal. */
  headers: readonly string[] = NO_HEADERS;
  /** The draft of a dry run, with the effects that the write would have. */
  tried: Draft | undefined;
  #query: URLSearchParams | undefined;
  /** The answer, while the client holds its body back until it is asked for it. */
  #awaited: Pick<ServerResponse, 'writeContinue'> | undefined;
  readonly #response: Response;

  constructor(incoming: IncomingMessage, response: Response, context: RequestContext) {
    const url = incoming.url!;
    const mark = url.indexOf('?');
    this.incoming = incoming;
    this.#response = response;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.#queryText = mark < 0 ? '' : url.slice(mark + 1);
    this.requestId = requestIdOf(this.header('x-request-id'));
    this.#context = context;
    if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') this.#awaited = response;
  }

  /** The client has sent no body yet, and may never do so. */
  get awaitsContinue(): boolean {
    return this.#awaited !== undefined;
  }

  /** Asks a client that waits for it to send the body. */
  askForBody(): void {
    this.#awaited?.writeContinue();
    this.#awaited = undefined;
  }

  /** Whether the client has authenticated, on a route that requires it. */
  get isLoggedIn(): boolean {
    return this.identity !== UNKNOWN && this.negotiated?.route.permission !== 'anyone';
  }

  get base(): string {
    return this.#context.baseOf(this.incoming);
  }

  get version(): number | null {
    return this.negotiated?.version ?? null;
  }

  get address(): string {
    return this.#context.addressOf(this.incoming);
  }

  get raw(): RawBody {
    const route = this.negotiated?.route;
    const mayHold = route?.permission === 'anyone' ? heldUntilAnswered(this.#response) : undefined;
    return rawBodyOf(this.incoming, route?.rawBody?.maxBytes ?? 0, mayHold);
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#queryText));
  }

  header(name: string): string | undefined {
    const value = this.incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  noteDryRun(draft: Draft): void {
    this.tried = draft;
  }

  onGone(callBack: () => void): () => void {
    const { socket } = this.incoming;
    socket.once('close', callBack);
    return () => socket.off('close', callBack);
  }

  /** Whether the answer says that nothing was changed. */
  get wantsDryRun(): boolean {
    return this.#queryText !== '' && this.query.get('dry_run') === 'true';
  }

  get isDryRun(): boolean {
    return this.#queryText !== '' && flagIn(this.query, 'dry_run');
  }

  get at(): string | undefined {
    return this.#queryText === '' ? undefined : (this.query.get('at') ?? undefined);
  }

  get author(): Author {
    const { loginName, tokenId, authConfigId, scopes } = this.identity;
    return {
      actor: loginName,
      token: tokenId,
      address: this.address,
      reason: headerText(this.header('x-svc-reason'))?.slice(0, MAX_REASON_LENGTH) ?? null,
      authConfigId,
      ...(scopes && { isLimited: !scopes.isEverything }),
    };
  }
}

/** The parsed body takes memory, too, so it counts until the answer is out. */
function heldUntilAnswered(response: Response): MayHold {
  let held = 0;
  response.once('close', () => unauthenticatedBodies.release(held));
  return (bytes) => {
    const isTaken = unauthenticatedBodies.take(bytes);
    if (isTaken) held += bytes;
    return isTaken;
  };
}
