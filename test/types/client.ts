// Calls of the client that must not compile: each line below is an error, which `tsc` checks.
import type { Client } from '../../client/index.ts';

export function wrongCalls(client: Client): unknown[] {
  const path = { id: 'staging' };
  const body = { name: 'staging', pipelines: [], environment_variables: [] };
  return [
    // @ts-expect-error There is no such operation.
    client.call('GET /api/admin/environmentz', { version: 3 }),
    // @ts-expect-error This version is not served.
    client.call('GET /api/admin/environments/{id}', { version: 99, path }),
    // @ts-expect-error It does not say which one.
    client.call('GET /api/admin/environments/{id}', { version: 3 }),
    // @ts-expect-error Nothing is replaced without the ETag of the version it is based on.
    client.call('PUT /api/admin/environments/{id}', { version: 3, path, body }),
    // @ts-expect-error A name is a text.
    client.call('POST /api/admin/environments', { version: 3, body: { name: 1 } }),
    // @ts-expect-error There is no such parameter.
    client.call('GET /api/admin/environments', { version: 3, query: { pages: 1 } }),
  ];
}
