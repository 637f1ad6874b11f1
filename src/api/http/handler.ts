// Takes one HTTP request through all steps: authentication, route, authorization, body, handler, answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import type { Readiness } from '../../health/readiness.ts';
import { noteRequest } from '../../kit/concurrency/request-activity.ts';
import type { Log } from '../../kit/log.ts';
import { OutcomeUnknown } from '../../kit/outcome-unknown.ts';
import { Refusal } from '../../kit/refusal.ts';
import { runIn, timed } from '../../kit/telemetry/scope.ts';
import type { MaintenanceMode } from '../../maintenance/mode.ts';
import type { Freshness } from '../../store/database.ts';
import { DATABASE_UNAVAILABLE } from '../../store/unavailable.ts';
import { mustShowPast } from '../engine/at-time.ts';
import { authorize, isForAdmins } from '../engine/authorize.ts';
import { type MaySee, withPlan } from '../engine/dry-run-reply.ts';
import { maySee } from '../engine/guards.ts';
import type { Answer, Route } from '../engine/route.ts';
import { noteUse } from '../engine/route-scope.ts';
import { loginAddress, redirectToLogin } from '../pages/login-address.ts';
import { mayBePage, type ServePages } from '../pages/pages.ts';
import { checkBodyHeaders, checkBodySize, readBody } from './body/body.ts';
import { allowLong } from './body/long-bodies.ts';
import { refuseCrossSite } from './cross-site.ts';
import { Exchange } from './exchange.ts';
import type { RequestForwarder } from './forward-request.ts';
import { deprecationHeaders } from './headers/deprecation.ts';
import { withEtag } from './headers/etags.ts';
import { failureType, type NegotiatedRoute, WRONG_URL } from './headers/negotiate.ts';
import { loggedPath } from './logged-path.ts';
import type { Identify } from './login/identify.ts';
import { isOfPage } from './login/session-cookie.ts';
import { maintenanceAnswer } from './maintenance-reply.ts';
import { mustBeGivenOnce } from './query-once.ts';
import { FAULT, refusalAnswer, unknownOutcomeAnswer } from './refusal-reply.ts';
import { send } from './reply.ts';
import type { FindRoute, RouteMatch } from './router.ts';
import type { RequestCounts } from './telemetry/request-counts.ts';
import { endRequest, requestScope, type ScopeTools, timingHeader } from './telemetry/request-scope.ts';

export interface HandlerParts extends ScopeTools {
  readonly find: FindRoute;
  readonly identify: Identify;
  readonly access: Access;
  /** Where several servers share a database: returns when all that any of them has acknowledged is known here. */
  readonly refresh: (() => Promise<Freshness>) | undefined;
  /** Where several servers share background work. */
  readonly forwarder: RequestForwarder | undefined;
  readonly pages: ServePages;
  readonly hasPages: boolean;
  readonly maintenance: Pick<MaintenanceMode, 'isOn' | 'period'>;
  readonly readiness: Pick<Readiness, 'phase'>;
  readonly baseOf: (request: IncomingMessage) => string;
  readonly addressOf: (request: IncomingMessage) => string;
  /** The addresses that an administrator has given the server. */
  readonly configuredUrls: () => readonly string[];
  readonly contextPath: string;
  readonly serverVersion: string;
  readonly log: Log;
  readonly counts: RequestCounts;
}

const SLOW_MS = 1000;
/** The database is unavailable: for so many milliseconds no writes of other servers were received. */
const STALE = 'X-Svc-Stale-Ms';
export const STARTING = 'The server is starting. Try again in a moment.';
const unavailable = () => new Refusal('unavailable', DATABASE_UNAVAILABLE, { retryAfter: 1 });
const ANONYMOUS: Identity = { loginName: 'anonymous', displayName: 'anonymous', tokenId: null, authConfigId: '' };

export function handlerOf(parts: HandlerParts): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, response) => {
    const { socket } = incoming;
    // Pipelined requests of a client that is gone are not even begun.
    if (socket.destroyed) return;
    const exchange = new Exchange(incoming, response, parts);
    noteRequest(exchange.startedAt);
    const found = findRoute(exchange);
    if (mayBePage(incoming.headers, found !== undefined) && servePage(exchange, response, found)) return;
    const scope = requestScope(exchange, found, parts);
    if (!scope) {
      forwardOrAnswer(exchange, response, found);
      return;
    }
    exchange.scope = scope;
    runIn(scope, () => forwardOrAnswer(exchange, response, found));
  };

  function forwardOrAnswer(exchange: Exchange, response: ServerResponse, found: RouteMatch | undefined): void {
    if (parts.forwarder && forwardIfNeeded(exchange, response, found, parts.forwarder)) return;
    if (!parts.refresh || found?.versions.newest.permission === 'anyone') authenticate(exchange, response, found);
    else refreshThenAuthenticate(exchange, response, found, parts.refresh);
  }

  /** Whether another server answers, or the request was refused because none can, or because its sender is not trusted. */
  function forwardIfNeeded(
    exchange: Exchange,
    response: ServerResponse,
    found: RouteMatch | undefined,
    forwarder: RequestForwarder,
  ): boolean {
    const refuse = (failure: unknown) => sendAnswer(exchange, response, found, failureAnswer(exchange, failure));
    try {
      forwarder.mustBeTrusted(exchange.incoming);
      if (!found?.versions.newest.isOfKeeper || !forwarder.mustForward(exchange.incoming)) return false;
      if (found.versions.newest.rawBody?.isLong) allowLong(exchange.incoming, response);
      response.once('close', () => exchange.scope.end());
      forwarder.forward(exchange.incoming, response, exchange, { onFailure: refuse, isHeld: found.versions.newest.isHeld === true });
    } catch (failure) {
      refuse(failure);
    }
    return true;
  }

  /** Every write that another server has acknowledged is known here before anything is decided. */
  function refreshThenAuthenticate(
    exchange: Exchange,
    response: ServerResponse,
    found: RouteMatch | undefined,
    refresh: () => Promise<Freshness>,
  ): void {
    timed('refresh', refresh, exchange.scope).then(
      (freshness) => {
        if (freshness !== 'current') exchange.headers = [STALE, String(freshness)];
        // At once: in its turn it might wait for a change before it whose commit is in doubt.
        if (freshness !== 'current' && isChange(exchange, found))
          sendAnswer(exchange, response, found, failureAnswer(exchange, unavailable()));
        else authenticate(exchange, response, found);
      },
      (failure: unknown) => sendAnswer(exchange, response, found, failureAnswer(exchange, failure)),
    );
  }

  function isChange({ incoming: { method } }: Exchange, found: RouteMatch | undefined): boolean {
    return method !== 'GET' && method !== 'HEAD' && found !== undefined && found.versions.newest.description.changes !== 'nothing';
  }

  function authenticate(exchange: Exchange, response: ServerResponse, found: RouteMatch | undefined): void {
    const { incoming } = exchange;
    if (parts.maintenance.isOn && isStopped(exchange, found)) {
      sendAnswer(exchange, response, found, maintenanceAnswer(parts.maintenance.period!, incoming));
      return;
    }
    let answer: Answer | Promise<Answer>;
    try {
      refuseCrossSite(incoming, () => exchange.base, parts.configuredUrls);
      const isOpen = found?.versions.newest.permission === 'anyone';
      // On a first start the server knows no users yet, and must not call a right password wrong.
      if (parts.readiness.phase === 'starting' && !isOpen) throw new Refusal('unavailable', STARTING, { retryAfter: 1 });
      const identity = isOpen ? ANONYMOUS : timed('auth', () => parts.identify(incoming, exchange.address), exchange.scope);
      const next = (known: Identity) => authorizeAndReadBody(exchange, found, known);
      answer = identity instanceof Promise ? identity.then(next) : next(identity);
    } catch (failure) {
      answer = failureAnswer(exchange, failure);
    }
    if (answer instanceof Promise) {
      answer
        .catch((failure: unknown) => failureAnswer(exchange, failure))
        .then((settled) => sendAnswer(exchange, response, found, settled));
    } else {
      sendAnswer(exchange, response, found, answer);
    }
  }

  function findRoute({ incoming, path }: Exchange): RouteMatch | undefined {
    const inner = innerPath(path);
    return inner === undefined ? undefined : parts.find(incoming.method === 'HEAD' ? 'GET' : incoming.method!, inner);
  }

  /** The path below the context path. */
  function innerPath(path: string): string | undefined {
    const { contextPath } = parts;
    if (contextPath !== '' && path !== contextPath && !path.startsWith(`${contextPath}/`)) return undefined;
    return path.slice(contextPath.length) || '/';
  }

  function servePage(exchange: Exchange, response: ServerResponse, found: RouteMatch | undefined): boolean {
    const { incoming, path, requestId, startedAt } = exchange;
    const inner = innerPath(path);
    const isOfApi = found !== undefined;
    const status = inner === undefined ? undefined : parts.pages({ incoming, path: inner, requestId, isOfApi }, response);
    if (status === undefined) return false;
    const count = (answered: number) => parts.counts.add(undefined, answered, performance.now() - startedAt);
    if (typeof status === 'number') count(status);
    else status.then(count).catch((failure: unknown) => sendAnswer(exchange, response, undefined, failureAnswer(exchange, failure)));
    return true;
  }

  /** Whether maintenance mode stops it: it stops writes, also to addresses that do not exist. */
  function isStopped({ incoming: { method } }: Exchange, found: RouteMatch | undefined): boolean {
    return method !== 'GET' && method !== 'HEAD' && !found?.versions.newest.worksInMaintenance;
  }

  function authorizeAndReadBody(exchange: Exchange, found: RouteMatch | undefined, identity: Identity): Answer | Promise<Answer> {
    if (!found) throw new Refusal('notFound', WRONG_URL);
    const { incoming } = exchange;
    exchange.identity = identity;
    exchange.params = found.params;
    const negotiated = found.versions.choose(incoming.headers.accept);
    if (!negotiated) {
      const { newest, supported } = found.versions;
      if (isForAdmins(newest)) authorize(parts.access, newest, exchange);
      throw new Refusal('unsupportedAccept', WRONG_URL, { more: { supported } });
    }
    const { route } = negotiated;
    exchange.negotiated = negotiated;
    if (!route.guard?.isInBody) authorize(parts.access, route, exchange);
    if (incoming.url!.includes('&')) mustBeGivenOnce(route, exchange.query);
    mustShowPast(route, exchange);
    const takesBody = route.method !== 'GET' && (route.method !== 'DELETE' || route.description.request !== undefined);
    if (route.rawBody) checkBodySize(incoming.headers, route.rawBody.maxBytes);
    else if (takesBody) checkBodyHeaders(incoming, route);
    if (route.rawBody?.isLong) allowLong(incoming);
    if (route.before) exchange.headers = exchange.headers.concat(route.before(exchange));
    if (takesBody) exchange.askForBody();
    if (!takesBody || route.rawBody) return runRoute(exchange, found, route);
    return timed('body', () => readBody(incoming, route.method === 'DELETE', negotiated.vendor), exchange.scope).then((body) => {
      exchange.body = body;
      if (route.guard?.isInBody) authorize(parts.access, route, exchange);
      return runRoute(exchange, found, route);
    });
  }

  function runRoute(exchange: Exchange, found: RouteMatch, route: Route): Answer | Promise<Answer> {
    // Checking the password and reading the body may have taken their time.
    if (parts.maintenance.isOn && isStopped(exchange, found)) return maintenanceAnswer(parts.maintenance.period!, exchange.incoming);
    const answer = timed('handle', () => route.handle(exchange), exchange.scope);
    if (route.method !== 'GET') return answer instanceof Promise ? answer.then((done) => withEffects(exchange, done)) : answer;
    return answer instanceof Promise ? answer.then((shown) => withEtag(shown, exchange)) : withEtag(answer, exchange);
  }

  function failureAnswer(exchange: Exchange, failure: unknown): Answer {
    const { requestId, incoming, path } = exchange;
    if (failure instanceof Refusal) {
      const login =
        failure.kind === 'unauthenticated' && parts.hasPages ? loginAddress(incoming, innerPath(path) ?? '', parts.contextPath) : undefined;
      return login === undefined ? refusalAnswer(failure, isOfPage(incoming.headers)) : redirectToLogin(login);
    }
    const facts = { requestId, method: incoming.method, path: loggedPath(path), err: failure };
    if (failure instanceof OutcomeUnknown) {
      parts.log.error(facts, 'it is not known whether a request was done');
      return unknownOutcomeAnswer(failure);
    }
    parts.log.error(facts, 'a request failed by a fault of the server');
    return FAULT;
  }

  function sendAnswer(exchange: Exchange, response: ServerResponse, found: RouteMatch | undefined, answer: Answer): void {
    const { negotiated, incoming, requestId } = exchange;
    const type = negotiated?.contentType ?? failureType(found?.versions, incoming.headers.accept);
    const isWrite = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    const isDryRun = isWrite && exchange.wantsDryRun;
    const { headers } = exchange;
    const extra = negotiated?.route.deprecation ? [...headers, ...deprecationOf(exchange, negotiated)] : headers;
    const sent = isDryRun ? { ...answer, revision: undefined } : answer;
    // The client may or may not still send the body, so the connection cannot be reused.
    if (exchange.awaitsContinue) response.shouldKeepAlive = false;
    const timing = timingHeader(exchange);
    const timed = timing ? [...extra, ...timing] : extra;
    const shown = isDryRun ? [...timed, 'X-Svc-Dry-Run', 'true'] : timed;
    send(incoming, response, sent, { type, requestId, extra: shown, route: negotiated?.route });
    const milliseconds = performance.now() - exchange.startedAt;
    parts.counts.add(negotiated?.route, answer.status, milliseconds);
    const isUnremarkable = negotiated?.route.isRoutine ? answer.status < 400 : !isWrite && milliseconds <= SLOW_MS;
    if (negotiated && exchange.identity.use && answer.status < 400) noteUse(negotiated.route, exchange);
    const operation = negotiated?.route.description.changes === 'nothing' ? 'read' : 'write';
    if (!isUnremarkable) logRequest(exchange, sent, milliseconds, isDryRun ? 'dry run' : isWrite ? operation : 'slow request');
    endRequest(exchange, negotiated?.route, answer.status);
  }

  /** The answer to a dry run lists the effects of the write. */
  function withEffects({ tried, identity }: Exchange, answer: Answer): Answer | Promise<Answer> {
    const isVisible: MaySee = (kind, entity) => maySee(identity, kind, entity, parts.access);
    return tried && answer.status < 300 ? withPlan(answer, tried, isVisible) : answer;
  }

  function logRequest(
    { requestId, incoming, path, identity, address }: Exchange,
    { status, revision }: Answer,
    milliseconds: number,
    message: string,
  ): void {
    const facts = {
      requestId,
      actor: identity.loginName,
      address,
      method: incoming.method,
      path: loggedPath(path),
      status,
      revision,
      ms: Math.round(milliseconds),
    };
    parts.log.info(facts, message);
  }

  function deprecationOf({ base, path }: Exchange, { route, vendor }: NegotiatedRoute): string[] {
    const address = base.slice(0, base.length - parts.contextPath.length) + path;
    const context = { vendor, address, base, serverVersion: parts.serverVersion };
    return deprecationHeaders(route, route.deprecation!, context);
  }
}
