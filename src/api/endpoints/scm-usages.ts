// Which pipelines use an SCM.
import { Refusal } from '../../kit/refusal.ts';
import type { Route } from '../route.ts';
import { USAGES_SCHEMA, type Usage, usagesAnswer, usagesExample } from './usages.ts';

const HOME = { path: '/api/admin/scms/:material_name/usages', chapter: 'scms' };
const EXAMPLE_NAME = 'tools';
const unknownScm = (name: string) => `SCM with name '${name}' was not found!`;

/** `usagesOf` knows nothing, not even an empty list, of an SCM that does not exist. */
export function scmUsagesRoute(usagesOf: (name: string) => readonly Usage[] | undefined): Route {
  return {
    method: 'GET',
    path: HOME.path,
    version: 4,
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
    handle: ({ params: { material_name: name = '' }, base }) => {
      const usages = usagesOf(name);
      if (!usages) throw new Refusal('notFound', unknownScm(name));
      return usagesAnswer(HOME, name, usages, base);
    },
  };
}
