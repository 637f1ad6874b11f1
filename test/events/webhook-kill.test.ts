// Events and their deliveries under SIGKILL: no gap, nothing lost, and twice only deliveries whose answer the server did not record.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyChain } from '../../src/events/verify-chain.ts';
import { stateFaults } from '../../src/events/verify-state.ts';
import { openEventRows } from '../../src/store/source.ts';
import { sourceOf } from '../support/database/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { Receiver, SECRET } from './receiver.ts';

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 2);
const MAX_LOAD_MS = 400;
const WRITERS = 4;
const dataDir = mkdtempSync(join(tmpdir(), 'slipway-webhook-kill-'));
const headers = { Accept: 'application/vnd.svc+json', Authorization: basic('admin', 'secret'), 'Content-Type': 'application/json' };
let receiver: Receiver;
let server: ServerProcess | undefined;

after(async () => {
  await server?.end('SIGKILL');
  await receiver?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(method: string, path: string, body: object): Promise<{ readonly status: number; readonly revision: number }> {
  const response = await fetch(`${server!.url}${path}`, { method, headers: { ...headers, 'If-Match': '*' }, body: JSON.stringify(body) });
  await response.text();
  return { status: response.status, revision: Number(response.headers.get('x-svc-revision')) };
}

/** Writes until the server is gone; gives the revisions that were acknowledged. */
async function write(writer: number, acknowledged: number[]): Promise<void> {
  for (let n = 0; ; n++) {
    const body = { name: `e-${writer}`, environment_variables: [{ name: 'N', value: `${Date.now()}-${n}` }] };
    const reply = await ask('PUT', `/api/admin/environments/e-${writer}`, body).catch(() => undefined);
    if (!reply) return;
    assert.equal(reply.status, 200);
    acknowledged.push(reply.revision);
  }
}

async function eventsOnDisk(): Promise<{ readonly numbers: number[]; readonly revisions: number[] }> {
  const rows = (await openEventRows(await sourceOf(dataDir)))!;
  try {
    const newestRevision = await rows.newestRevision();
    const names = await rows.names();
    const pages = await Array.fromAsync(rows.all());
    const all = pages.flat();
    const verdict = await verifyChain({
      rows: ReadableStream.from(pages),
      revisionAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision,
      names,
    });
    assert.ok(verdict.isWhole, JSON.stringify(verdict));
    assert.deepEqual(await Array.fromAsync(stateFaults(rows.states())), []);
    return {
      numbers: all.map(({ number }) => number),
      revisions: all.flatMap(({ body }) => JSON.parse(body).data.revision ?? []),
    };
  } finally {
    await rows.close();
  }
}

test(`events and deliveries survive ${ROUNDS} kills on one data directory`, { timeout: PATIENCE_MS * ROUNDS }, async (context) => {
  receiver = await Receiver.start();
  const acknowledged: number[] = [];
  let first = 0;
  for (let round = 0; round < ROUNDS; round++) {
    server = await startProcess(dataDir, ['--allow-private-webhooks', '--log-level', 'silent']);
    if (round === 0) {
      for (let writer = 0; writer < WRITERS; writer++) await ask('POST', '/api/admin/environments', { name: `e-${writer}` });
      const { revision } = await ask('POST', '/api/admin/webhooks', { id: 'hook', url: receiver.url, secret: SECRET });
      first = (await eventsOnDisk()).numbers.at(-1)! + 1;
      assert.ok(revision > 0);
    }
    const before = receiver.numbers.length;
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer, acknowledged));
    await receiver.until(() => receiver.numbers.length > before + 3);
    await pause(randomInt(MAX_LOAD_MS));
    await server.end('SIGKILL');
    await Promise.all(writing);
    const { revisions } = await eventsOnDisk();
    const known = new Set(revisions);
    assert.deepEqual(
      acknowledged.filter((revision) => !known.has(revision)),
      [],
      'acknowledged changes without an event',
    );
  }
  server = await startProcess(dataDir, ['--allow-private-webhooks', '--log-level', 'silent']);
  const last = (await eventsOnDisk()).numbers.at(-1)!;
  await receiver.until(() => receiver.numbers.at(-1) === last);
  const received = receiver.numbers;
  const once = received.filter((number, index) => number !== received[index - 1]);
  assert.deepEqual(
    once,
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
    'each once, in order, but for what came twice in a row',
  );
  const twice = received.length - once.length;
  context.diagnostic(`${once.length} events, ${twice} of them twice after ${ROUNDS} kills, ${acknowledged.length} acknowledged changes`);
  assert.ok(twice <= ROUNDS, `${twice} came twice`);
  assert.ok(once.length > ROUNDS * 3);
});
