// A file of thousands of pipelines: others are served while it is taken over, and a crash leaves all of it or nothing.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsIn } from '../support/database/sql.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';

const PIPELINES = 3000;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 2);
/** The time by which each kill comes later than the one before, from the reading of the file to the steps after it. */
const STEP_MS = 1600 / ROUNDS;
const AS_ADMIN = { Authorization: basic('admin', 'secret') };
const directories: string[] = [];
const running = new Set<ServerProcess>();

after(async () => {
  await Promise.all([...running].map((server) => server.end('SIGKILL')));
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function fileOf(count: number): string {
  const pipelines = Array.from({ length: count }, (_, index) => {
    const upstream = index > 100 ? `<pipeline pipelineName="p${index - 100}" stageName="build" />` : '';
    const job = '<job name="all"><tasks><exec command="make"><arg>all</arg></exec></tasks></job>';
    return `<pipeline name="p${index}"><materials><git url="https://example.com/${index}.git" />${upstream}</materials><stage name="build"><jobs>${job}</jobs></stage></pipeline>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\n<cruise schemaVersion="139"><pipelines group="many">\n${pipelines.join('\n')}\n</pipelines></cruise>`;
}

async function start(dataDir: string): Promise<ServerProcess> {
  const server = await startProcess(dataDir);
  running.add(server);
  return server;
}

async function end(server: ServerProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.delete(server);
  await server.end(signal);
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-large-import-'));
  directories.push(directory);
  return directory;
}

function importInto({ url }: ServerProcess): Promise<Response> {
  const headers = { ...AS_ADMIN, 'Content-Type': 'text/xml' };
  return fetch(`${url}/api/admin/config/import`, { method: 'POST', headers, body: fileOf(PIPELINES) });
}

/** Entities and changes of the import that are on disk. */
async function onDisk(dataDir: string): Promise<number[]> {
  const count = async (table: string) =>
    Number((await rowsIn(dataDir, `select count(*) as n from ${table} where kind = 'pipelines'`))[0]!.n);
  return [await count('entities'), await count('changes')];
}

test('a large import is one revision, while reads are answered and a write waits its turn', async () => {
  const dataDir = newDirectory();
  const server = await start(dataDir);
  let isDone = false;
  const importing = importInto(server).finally(() => {
    isDone = true;
  });
  const writing = sleep(200).then(() =>
    fetch(`${server.url}/api/admin/environments`, {
      method: 'POST',
      headers: { ...AS_ADMIN, 'Content-Type': 'application/json', Accept: 'application/vnd.svc+json' },
      body: JSON.stringify({ name: 'meanwhile' }),
    }),
  );
  const durations: number[] = [];
  const startedAt = performance.now();
  while (!isDone) {
    const before = performance.now();
    const answer = await fetch(`${server.url}/api/admin/security/system_admins`, { headers: AS_ADMIN });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200);
    durations.push(performance.now() - before);
    await sleep(5);
  }
  const importMs = performance.now() - startedAt;
  const answer = await importing;
  const plan = (await answer.json()) as { created: unknown[] };
  assert.equal(answer.status, 200, JSON.stringify(plan).slice(0, 500));
  assert.equal(plan.created.length, PIPELINES + 1);
  const written = await writing;
  assert.equal(written.status, 200);
  const revisions = [answer, written].map(({ headers }) => Number(headers.get('x-svc-revision')));
  assert.deepEqual(revisions.toSorted(), [2, 3]);
  const longestMs = Math.max(...durations);
  const summary = `${durations.length} reads, the longest took ${longestMs} of ${importMs} ms`;
  assert.ok(durations.length > 5 && longestMs < importMs / 5, summary);
  await end(server, 'SIGTERM');
  assert.deepEqual(await onDisk(dataDir), [PIPELINES, PIPELINES]);
});

test('a large import that is killed at any moment is there whole or not at all', async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = newDirectory();
    const server = await start(dataDir);
    const importing = importInto(server).then(
      ({ status }) => status,
      () => 0,
    );
    await Promise.race([importing, sleep(500 + round * STEP_MS)]);
    await end(server, 'SIGKILL');
    const status = await importing;
    const [entities, changes] = await onDisk(dataDir);
    outcomes.push(`${status}: ${entities} entities, ${changes} changes`);
    assert.equal(entities, changes, outcomes.join('; '));
    assert.ok(entities === PIPELINES || (entities === 0 && status !== 200), outcomes.join('; '));
    const again = await start(dataDir);
    const found = await fetch(`${again.url}/api/admin/pipelines/p${PIPELINES - 1}`, { headers: AS_ADMIN });
    assert.equal(found.status, entities === 0 ? 404 : 200);
    await end(again, 'SIGTERM');
  }
});
