// The history of the configuration while several people write: git finds nothing wrong with it at any time, and every clone is whole.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fsck, tryGit } from '../support/git.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';

const WRITERS = 4;
/** A history that grows faster than git clones it would never be enough, and each clone and check takes longer the larger it is. */
const WRITE_EVERY_MS = 200;
/** So that the writers get the processor, too. */
const LOOK_EVERY_MS = 200;
/** A request for a document waits until the history has all changes, so that they are written in small batches. */
const READ_EVERY_MS = 50;
/** How long it lasts at least. */
const MIN_DURATION_MS = Number(process.env.TEST_ROUNDS ?? 0) * 1_000;
const UNKNOWN = '0'.repeat(32);
const directory = mkdtempSync(join(tmpdir(), 'slipway-checks-'));
const dataDir = join(directory, 'data');
const repository = join(dataDir, 'history', 'config.git');
let server: ServerProcess;

before(async () => {
  await ensureDebianPackages(['git']);
  server = await startProcess(dataDir);
});
after(async () => {
  await server?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { Authorization: basic('admin', 'secret'), 'Content-Type': 'application/json' };
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (body) assert.equal(response.status, 200, `${method} ${path}: ${await response.text()}`);
  return response;
}

/** A commit that comes while git looks may make it call the one before it dangling; that is no fault of the repository. */
const FAULT = /code|error|missing|broken|corrupt/;

test('the history stays valid under four concurrent writers, checks and clones', async () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ name: `V${at}`, value: `${at} `.repeat(20) }));
  for (let writer = 0; writer < WRITERS; writer++)
    await send('POST', '/api/admin/environments', { name: `e${writer}`, environment_variables: many });
  await send('GET', `/api/admin/config/${UNKNOWN}.xml`);
  const startedAt = performance.now();
  const numbers = { writes: 0, checks: 0, clones: 0, reads: 0 };
  const isEnough = () => numbers.writes > 50 && numbers.checks > 3 && numbers.clones > 3 && numbers.reads > 3;
  const goesOn = (ms = performance.now() - startedAt) => ms < MIN_DURATION_MS || (!isEnough() && ms < PATIENCE_MS);
  const repeat = async (everyMs: number, action: (turn: number) => Promise<void>) => {
    for (let turn = 0; goesOn(); turn++) {
      await action(turn);
      await pause(everyMs);
    }
  };
  const write = (writer: number) => async (turn: number) => {
    const variables = turn % 2 === 0 ? { add: [{ name: 'NEW', value: `${turn}` }] } : { remove: ['NEW'] };
    await send('PATCH', `/api/admin/environments/e${writer}`, { environment_variables: variables });
    numbers.writes++;
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, writer) => repeat(WRITE_EVERY_MS, write(writer))),
    repeat(LOOK_EVERY_MS, async () => {
      const output = await fsck(repository);
      assert.doesNotMatch(output, FAULT);
      numbers.checks++;
    }),
    repeat(LOOK_EVERY_MS, async (turn) => {
      const copy = join(directory, `copy-${turn}.git`);
      const address = `${server.url.replace('://', '://admin:secret@')}/api/config-repository.git`;
      const { code, stderr } = await tryGit(directory, 'clone', '--quiet', '--bare', address, copy);
      assert.equal(code, 0, stderr);
      assert.equal(await fsck(copy), '');
      numbers.clones++;
    }),
    repeat(READ_EVERY_MS, async () => {
      assert.equal((await send('GET', `/api/admin/config/${UNKNOWN}.xml`)).status, 404);
      numbers.reads++;
    }),
  ]);
  assert.ok(isEnough(), JSON.stringify(numbers));
  await server.end('SIGTERM');
  assert.equal(await fsck(repository), '', 'a server that has stopped leaves nothing behind');
});
