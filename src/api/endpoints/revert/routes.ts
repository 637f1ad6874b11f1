// All routes that take back changes: of one entity, and a revision as a whole.
import type { Route } from '../../engine/route.ts';
import { entityRevertRoutes } from './entity.ts';
import type { RevertRouteParts } from './json.ts';
import { configRevertRoute } from './revision.ts';

export function revertRoutes(parts: RevertRouteParts): Route[] {
  return [configRevertRoute(parts), ...entityRevertRoutes(parts)];
}
