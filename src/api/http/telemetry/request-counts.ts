// Counts requests by route and status, with how long they took: plain numbers on the hot path, read when metrics are requested.
import { Histogram, type HistogramSnapshot, REQUEST_BOUNDS } from '../../../kit/telemetry/histogram.ts';
import type { Route } from '../../engine/route.ts';

export interface RequestCount {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requests: number;
  readonly seconds: number;
}

export interface RouteDurations {
  readonly method: string;
  readonly path: string;
  readonly durations: HistogramSnapshot;
}

export class RequestCounts {
  readonly #byRoute = new Map<Route | undefined, Map<number, Histogram>>();

  add(route: Route | undefined, status: number, milliseconds: number): void {
    const durations = this.#byRoute.get(route)?.get(status) ?? this.#first(route, status);
    durations.add(milliseconds / 1000);
  }

  #first(route: Route | undefined, status: number): Histogram {
    const durations = new Histogram(REQUEST_BOUNDS);
    this.#byRoute.getOrInsertComputed(route, () => new Map()).set(status, durations);
    return durations;
  }

  *all(): Generator<RequestCount> {
    for (const [route, byStatus] of this.#byRoute)
      for (const [status, durations] of byStatus) {
        const { count: requests, seconds } = durations.snapshot();
        yield { ...namesOf(route), status, requests, seconds };
      }
  }

  *durations(): Generator<RouteDurations> {
    for (const [route, byStatus] of this.#byRoute) {
      const all = new Histogram(REQUEST_BOUNDS);
      for (const durations of byStatus.values()) all.take(durations);
      yield { ...namesOf(route), durations: all.snapshot() };
    }
  }
}

/** Requests that no route takes share empty names: paths made up by unauthenticated clients must not become labels. */
function namesOf(route: Route | undefined) {
  return { method: route?.method ?? '', path: route?.path ?? '' };
}
