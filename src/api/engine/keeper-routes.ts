// Routes that ask for background work, or tell of it.
import type { Route } from './route.ts';

/** Of several servers, the one that does it answers. */
export function ofKeeper(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, isOfKeeper: true }));
}
