// All routes of builds: runs, their stages and their jobs.
import type { Route } from '../../engine/route.ts';
import { ofBuildKeeper } from '../agents/keeper.ts';
import { jobReadingRoutes } from '../jobs/routes.ts';
import { jobWhyRoute } from '../jobs/why.ts';
import { mapRoutes } from '../maps/routes.ts';
import { stageOperationRoutes } from '../stages/operations.ts';
import { stageReadingRoutes } from '../stages/routes.ts';
import { statisticsRoute } from '../statistics/routes.ts';
import { commentRoute, runReadingRoutes } from './history.ts';
import { operationRoutes } from './operations.ts';
import type { BuildRouteParts } from './parts.ts';
import { scheduleRoute, triggerOptionsRoute } from './schedule.ts';
import { whyRoute } from './why.ts';

export function buildRoutes(parts: BuildRouteParts): Route[] {
  return [
    ...runReadingRoutes(parts),
    triggerOptionsRoute(parts),
    ...stageReadingRoutes(parts),
    ...jobReadingRoutes(parts),
    ...mapRoutes(parts),
    statisticsRoute(parts),
    ...ofBuildKeeper([
      ...operationRoutes(parts),
      scheduleRoute(parts),
      commentRoute(parts),
      whyRoute(parts),
      ...stageOperationRoutes(parts),
      jobWhyRoute(parts),
    ]),
  ];
}
