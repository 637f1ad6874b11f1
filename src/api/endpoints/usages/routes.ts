// All routes that say what uses something.
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Route } from '../../engine/route.ts';
import { type ProfileUsagesIn, profileUsagesRoute } from './elastic-profiles.ts';
import { entityUsagesRoute } from './entities.ts';
import type { UsagesIn } from './json.ts';
import { packageUsagesRoute } from './packages.ts';
import { scmUsagesRoute } from './scms.ts';

interface Searches {
  readonly pipelinesUsing: UsagesIn;
  readonly profileUsages: ProfileUsagesIn;
}

export function usageRoutes(parts: ResourceParts, { pipelinesUsing, profileUsages }: Searches): Route[] {
  return [
    scmUsagesRoute(parts, pipelinesUsing),
    packageUsagesRoute(parts, pipelinesUsing),
    profileUsagesRoute(parts.config.collection('elasticProfiles'), parts, profileUsages),
    entityUsagesRoute(parts),
  ];
}
