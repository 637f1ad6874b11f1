// Which pipelines use an SCM.
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import { jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';
import type { Usage } from './package-usages.ts';

/** `usagesOf` knows nothing, not even an empty list, of an SCM that does not exist. */
export function scmUsagesRoute(usagesOf: (name: string) => readonly Usage[] | undefined): Route {
  const usage = { type: 'object', properties: { group: { type: 'string' }, pipeline: { type: 'string' } } };
  return {
    method: 'GET',
    path: '/api/admin/scms/:material_name/usages',
    version: 4,
    permission: 'groupAdmin',
    description: {
      chapter: 'scms',
      summary: 'Which pipelines use an SCM',
      response: { type: 'object', properties: { usages: { type: 'array', items: usage } } },
      hasEtag: true,
    },
    handle: ({ params: { material_name: name = '' }, base }) => {
      const usages = usagesOf(name);
      if (!usages) throw new Refusal('notFound', `SCM with name '${name}' was not found!`);
      const self = `/api/admin/scms/${encodeURIComponent(name)}/usages`;
      const body = { _links: links(base, { self, doc: docLink('scms'), find: '/api/admin/scms/:material_name/usages' }), usages };
      return jsonAnswer(body, { etag: sha256(JSON.stringify(usages)) });
    },
  };
}
