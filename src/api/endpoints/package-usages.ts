// Which pipelines use a package.
import type { Route } from '../route.ts';
import { USAGES_SCHEMA, type Usage, usagesAnswer, usagesExample } from './usages.ts';

const HOME = { path: '/api/admin/packages/:package_id/usages', chapter: 'packages' };
const EXAMPLE_ID = 'left-pad';

export function packageUsagesRoute(usagesOf: (packageId: string) => readonly Usage[]): Route {
  return {
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
    handle: ({ params: { package_id: id = '' }, base }) => usagesAnswer(HOME, id, usagesOf(id), base),
  };
}
