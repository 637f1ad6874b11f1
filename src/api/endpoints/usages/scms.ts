// Which pipelines use an SCM.
import { Refusal } from '../../../kit/refusal.ts';
import { fromConfig } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Route } from '../../engine/route.ts';
import { USAGES_SCHEMA, USERS, type UsagesIn, usagesAnswer, usagesExample } from './json.ts';

const HOME = { path: '/api/admin/scms/:material_name/usages', chapter: 'scms' };
const EXAMPLE_NAME = 'tools';
const unknownScm = (name: string) => `SCM with name '${name}' was not found!`;

export function scmUsagesRoute(parts: ResourceParts, usagesIn: UsagesIn): Route {
  const route = {
    method: 'GET',
    path: HOME.path,
    version: 4,
    alsoVersions: [3],
    permission: 'groupAdmin',
    description: {
      chapter: HOME.chapter,
      summary: 'Which pipelines use an SCM',
      parameters: { material_name: { description: 'The name of the SCM.', example: EXAMPLE_NAME } },
      response: USAGES_SCHEMA,
      example: usagesExample(HOME, EXAMPLE_NAME),
      hasEtag: true,
      failures: { 404: { example: { message: unknownScm('unknown') } } },
    },
  } as const;
  return fromConfig(route, parts, ['scms', ...USERS], (config, { params: { material_name: name = '' }, base }) => {
    const usages = usagesIn(config, 'scms', name);
    if (!usages) throw new Refusal('notFound', unknownScm(name));
    return usagesAnswer(HOME, name, usages, base);
  });
}
