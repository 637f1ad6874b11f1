// Which pipelines use a package.
import { fromConfig } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Route } from '../../engine/route.ts';
import { USAGES_SCHEMA, USERS, type UsagesIn, usagesAnswer, usagesExample } from './json.ts';

const HOME = { path: '/api/admin/packages/:package_id/usages', chapter: 'packages' };
const EXAMPLE_ID = 'left-pad';

export function packageUsagesRoute(parts: ResourceParts, usagesIn: UsagesIn): Route {
  const route = {
    method: 'GET',
    path: HOME.path,
    version: 2,
    permission: 'groupAdmin',
    description: {
      chapter: HOME.chapter,
      summary: 'Which pipelines use a package',
      parameters: { package_id: { description: 'The id of the package.', example: EXAMPLE_ID } },
      response: USAGES_SCHEMA,
      example: usagesExample(HOME, EXAMPLE_ID),
      hasEtag: true,
      failures: {
        404: { when: 'The Accept header asks for a version that does not exist. Of a package that does not exist the list is empty.' },
      },
    },
  } as const;
  return fromConfig(route, parts, ['packages', ...USERS], (config, { params: { package_id: id = '' }, base }) =>
    usagesAnswer(HOME, id, usagesIn(config, 'packages', id) ?? [], base),
  );
}
