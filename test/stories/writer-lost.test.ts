// The thread that writes to the database ends in the middle of a write: the client is told neither that it is done nor that it is not,
// and the server ends, so that a new one finds out.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { basic } from '../support/server/server.ts';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';

const ENVIRONMENTS = '/api/admin/environments';
const loseWriter = pathToFileURL(join(import.meta.dirname, '..', 'support', 'database', 'lose-writer.ts')).href;
const dataDir = mkdtempSync(join(tmpdir(), 'slipway-writer-'));
const sign = join(dataDir, 'lose-writer');
let running: ServerProcess | undefined;

after(async () => {
  await running?.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('a write without an answer is a fault, the server ends, and the next one knows what was written', ABOUT_EMBEDDED, async () => {
  running = await startAsItIs(dataDir, [], 'secret', undefined, ['--import', loseWriter]);
  assert.equal((await post(running, 'before')).status, 200);
  writeFileSync(sign, '');
  const ended = once(running.child, 'exit');
  const [first, second] = await Promise.all([post(running, 'in-doubt'), post(running, 'beside-it')]);
  assert.deepEqual([first.status, second.status], [500, 500]);
  assert.match(await first.text(), /failed to handle this request/);
  assert.deepEqual(await ended, [1, null]);
  assert.match(running.output(), /It is not known whether this was written/);
  assert.match(running.output(), /the database can no longer be written, so the server ends/);

  rmSync(sign);
  running = await startAsItIs(dataDir);
  assert.equal((await get(running, 'before')).status, 200);
  assert.equal((await get(running, 'in-doubt')).status, 200, 'it had been committed');
  assert.equal((await post(running, 'after')).status, 200, 'and the next revision follows it');
});

function post(server: ServerProcess, name: string): Promise<Response> {
  const headers = { ...asAdmin(), 'Content-Type': 'application/json' };
  return fetch(server.url + ENVIRONMENTS, { method: 'POST', headers, body: JSON.stringify({ name }) });
}

function get(server: ServerProcess, name: string): Promise<Response> {
  return fetch(`${server.url}${ENVIRONMENTS}/${name}`, { headers: asAdmin() });
}

function asAdmin(): Record<string, string> {
  return { Authorization: basic('admin', 'secret'), Accept: 'application/vnd.svc+json' };
}
