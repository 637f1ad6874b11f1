// Writes client/generated/ from the OpenAPI document of a server that is started for it. A test says when the files are out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestServer } from '../test/support/server/server.ts';
import { clientFiles } from './client/client-files.ts';

const folder = join(import.meta.dirname, '..', 'client', 'generated');
const server = await TestServer.start();
try {
  const { json } = await server.get('/api/openapi.json');
  for (const [name, text] of Object.entries(clientFiles(json))) writeFileSync(join(folder, name), text);
} finally {
  await server.stop();
}
