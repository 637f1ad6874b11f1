// The telemetry of one request: its id, its span if it is traced, and its steps if the sender wants to know how long they took.
import { Scope } from '../../../kit/telemetry/scope.ts';
import { readTraceParent } from '../../../kit/telemetry/traceparent.ts';
import type { Tracer } from '../../../kit/telemetry/tracer.ts';
import type { Route } from '../../engine/route.ts';
import type { Exchange } from '../exchange.ts';
import { loggedPath } from '../logged-path.ts';
import type { RouteMatch } from '../router.ts';

export interface ScopeTools {
  /** Undefined: no traces are made. */
  readonly tracer: Tracer | undefined;
  /** Whether the peer may say that a trace is recorded. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
}

const WANTS_TIMING = 'x-svc-timing';
const FAILED = 500;

/** Undefined: nothing is recorded. The most frequent requests go without, for a scope costs as much as finding the route. */
export function requestScope(exchange: Exchange, found: RouteMatch | undefined, { tracer, isTrustedProxy }: ScopeTools): Scope | undefined {
  const { requestId, incoming } = exchange;
  const keepsSteps = incoming.headers[WANTS_TIMING] === 'true';
  if (!tracer && !keepsSteps && found?.versions.newest.logsNothing) return undefined;
  // Agents ask all the time whether there is work.
  const span =
    tracer && !found?.versions.newest.isRoutine
      ? tracer.request(
          incoming.method!,
          readTraceParent(exchange.header('traceparent')),
          isTrustedProxy?.(incoming.socket.remoteAddress ?? '') ?? false,
        )
      : undefined;
  return new Scope({ requestId, span, keepsSteps });
}

/** The answer is decided. */
export function endRequest({ scope, incoming, path, requestId }: Exchange, route: Route | undefined, status: number): void {
  const { span } = scope;
  if (span) {
    if (route) span.name = `${route.method} ${route.path}`;
    span.set({
      'http.request.method': incoming.method!,
      'url.path': loggedPath(path),
      ...(route && { 'http.route': route.path }),
      'http.response.status_code': status,
      'slipway.request_id': requestId,
    });
    if (status >= FAILED) span.fail(String(status));
  }
  scope.end();
}

/** The header that says how long each step took; only for users who are logged in, because it reveals how long a login takes. */
export function timingHeader({ scope, isLoggedIn, startedAt }: Exchange): readonly string[] | undefined {
  if (!scope.steps || !isLoggedIn) return undefined;
  const sums = new Map<string, number>();
  for (const { name, startedAt: from, endedAt } of scope.steps) sums.set(name, (sums.get(name) ?? 0) + endedAt - from);
  sums.set('total', performance.now() - startedAt);
  return ['Server-Timing', [...sums].map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`).join(', ')];
}
