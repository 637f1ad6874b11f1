// Counts requests by route and status: plain numbers on the hot path, read when somebody asks for metrics.
import type { Route } from '../engine/route.ts';

export interface RequestCount {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  requests: number;
  seconds: number;
}

export class RequestCounts {
  readonly #byRoute = new Map<Route | undefined, Map<number, RequestCount>>();

  add(route: Route | undefined, status: number, milliseconds: number): void {
    const count = this.#byRoute.get(route)?.get(status) ?? this.#first(route, status);
    count.requests++;
    count.seconds += milliseconds / 1000;
  }

  #first(route: Route | undefined, status: number): RequestCount {
    const count = { method: route?.method ?? '', path: route?.path ?? '', status, requests: 0, seconds: 0 };
    this.#byRoute.getOrInsertComputed(route, () => new Map()).set(status, count);
    return count;
  }

  *all(): Generator<RequestCount> {
    for (const byStatus of this.#byRoute.values()) yield* byStatus.values();
  }
}
