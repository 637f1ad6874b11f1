// Which pipelines use a package.
import { sha256 } from '../../kit/hash.ts';
import { jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';

export interface Usage {
  readonly group: string;
  readonly pipeline: string;
}

export function packageUsagesRoute(usagesOf: (packageId: string) => readonly Usage[]): Route {
  const usage = { type: 'object', properties: { group: { type: 'string' }, pipeline: { type: 'string' } } };
  return {
    method: 'GET',
    path: '/api/admin/packages/:package_id/usages',
    version: 2,
    permission: 'groupAdmin',
    description: {
      chapter: 'packages',
      summary: 'Which pipelines use a package',
      response: { type: 'object', properties: { usages: { type: 'array', items: usage } } },
      hasEtag: true,
    },
    handle: ({ params: { package_id: id = '' }, base }) => {
      const self = `/api/admin/packages/${encodeURIComponent(id)}/usages`;
      const usages = usagesOf(id);
      const body = { _links: links(base, { self, doc: docLink('packages'), find: '/api/admin/packages/:package_id/usages' }), usages };
      return jsonAnswer(body, { etag: sha256(JSON.stringify(usages)) });
    },
  };
}
