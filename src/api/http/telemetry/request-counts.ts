// Counts requests by route and status: plain numbers on the hot path, read when somebody asks for metrics.
import { Histogram, type HistogramFigures, REQUEST_BOUNDS } from '../../../kit/telemetry/histogram.ts';
import type { Route } from '../../engine/route.ts';

export interface RequestCount {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  requests: number;
  seconds: number;
}

export interface RouteDurations {
  readonly method: string;
  readonly path: string;
  readonly durations: HistogramFigures;
}

interface OfRoute {
  readonly byStatus: Map<number, RequestCount>;
  readonly durations: Histogram;
}

export class RequestCounts {
  readonly #byRoute = new Map<Route | undefined, OfRoute>();

  add(route: Route | undefined, status: number, milliseconds: number): void {
    const of = this.#byRoute.get(route) ?? this.#first(route);
    const count = of.byStatus.get(status) ?? firstOf(of, route, status);
    const seconds = milliseconds / 1000;
    count.requests++;
    count.seconds += seconds;
    of.durations.add(seconds);
  }

  #first(route: Route | undefined): OfRoute {
    const of = { byStatus: new Map<number, RequestCount>(), durations: new Histogram(REQUEST_BOUNDS) };
    this.#byRoute.set(route, of);
    return of;
  }

  *all(): Generator<RequestCount> {
    for (const { byStatus } of this.#byRoute.values()) yield* byStatus.values();
  }

  *durations(): Generator<RouteDurations> {
    for (const [route, { durations }] of this.#byRoute) yield { ...namesOf(route), durations: durations.figures() };
  }
}

function firstOf({ byStatus }: OfRoute, route: Route | undefined, status: number): RequestCount {
  const count = { ...namesOf(route), status, requests: 0, seconds: 0 };
  byStatus.set(status, count);
  return count;
}

/** Requests that no route takes share empty names: whatever strangers make up must not become labels. */
function namesOf(route: Route | undefined) {
  return { method: route?.method ?? '', path: route?.path ?? '' };
}
