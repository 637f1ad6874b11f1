// All routes about config repos besides those of every resource.
import type { Route } from '../../engine/route.ts';
import { configRepoDefinitionsRoute, type DefinitionsIn } from './definitions-route.ts';
import { type ConfigRepoListParts, configRepoListRoute } from './list.ts';
import { configRepoParsesRoute, type ParsesOf } from './parses.ts';
import { configRepoSourcesRoute, type SourcesIn } from './sources.ts';
import { type ConfigRepoUpdates, configRepoUpdateRoutes } from './update.ts';

interface ConfigRepoRouteParts extends ConfigRepoListParts, ConfigRepoUpdates {
  readonly definitionsIn: DefinitionsIn;
  readonly sourcesIn: SourcesIn;
  readonly parsesOf: ParsesOf;
}

export function configRepoRoutes(parts: ConfigRepoRouteParts): Route[] {
  const { config, definitionsIn, sourcesIn, parsesOf } = parts;
  return [
    ...configRepoUpdateRoutes(config, parts),
    configRepoDefinitionsRoute(parts, definitionsIn),
    configRepoSourcesRoute(config, sourcesIn),
    configRepoParsesRoute(config, parsesOf),
    configRepoListRoute(parts),
  ];
}
