// Refuses changes of the configuration while the disk is full; deletions and everything that only reads go on.
import { refusalOf } from '../../health/disk/level.ts';
import type { ApiRequest, Route } from './route.ts';

export const NO_SPACE = {
  when: 'There is too little disk space left.',
  example: { message: refusalOf('database', { warningMb: 1024, fullMb: 100 }) },
};

export interface SpaceWatch {
  refuseWhenFull(): void;
}

export function needsSpace({ method, description }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE' && description.changes === 'configuration';
}

export function withSpaceGuard(routes: readonly Route[], disk: SpaceWatch): Route[] {
  return routes.map((route) => (needsSpace(route) ? guarded(route, disk) : route));
}

function guarded(route: Route, disk: SpaceWatch): Route {
  const { description } = route;
  return {
    ...route,
    description: { ...description, failures: { ...description.failures, 507: NO_SPACE } },
    before: (request: ApiRequest) => {
      // A dry run needs no space.
      if (request.query.get('dry_run') !== 'true') disk.refuseWhenFull();
      return route.before?.(request) ?? [];
    },
  };
}
