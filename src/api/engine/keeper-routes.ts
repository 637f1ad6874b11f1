// Routes that ask for background work, or show its state.
import type { Route } from './route.ts';

/** Of several servers, the one that does it answers. */
export function ofKeeper(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, isOfKeeper: true }));
}
