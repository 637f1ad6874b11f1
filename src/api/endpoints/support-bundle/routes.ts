// A support bundle of the server that answers.
import { sha256 } from '../../../kit/bytes/hash.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import { bundleName } from '../../../support-bundle/bundle.ts';
import type { Route } from '../../engine/route.ts';

const TYPE = 'application/gzip';

export function supportBundleRoute(make: (now: Date) => Promise<Buffer>): Route {
  return {
    method: 'GET',
    path: '/api/admin/support_bundle',
    version: null,
    permission: 'admin',
    isNeverCompressed: true,
    description: {
      chapter: 'server-health-messages',
      summary: 'A support bundle',
      details:
        'A tar archive, compressed by gzip, for the people you ask for help: versions, settings, counts, sizes, health messages, metrics, the last lines of the log, recent failures. It holds no secrets.',
      type: TYPE,
      response: { ...TEXT, format: 'binary', description: 'A tar archive, compressed by gzip.' },
    },
    handle: async () => {
      const now = new Date();
      const body = await make(now);
      const headers = ['Content-Disposition', `attachment; filename="${bundleName(now)}"`];
      return { status: 200, body, etag: sha256(body), type: TYPE, cacheControl: 'no-store', headers };
    },
  };
}
