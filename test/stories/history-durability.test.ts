// The history of the configuration: a server that is killed while it writes it has every revision in it afterwards, once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { rowsIn } from '../support/database/sql.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 3);
const WRITERS = 4;
/** A kill comes after so many answers, and then at any moment of the next writes. */
const MAX_ANSWERS = 25;
const MAX_EXTRA_MS = 50;
const MAX_SHOWN_BYTES = 1024 ** 3;
const UNKNOWN = '0'.repeat(32);
const AUTHORIZATION = basic('admin', 'secret');

const dataDir = mkdtempSync(join(tmpdir(), 'slipway-history-'));
const repository = join(dataDir, 'history', 'config.git');
let server: ServerProcess;
/** Writes that were acknowledged in this round. */
let answered = 0;

after(async () => {
  await server?.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test(`after a SIGKILL the history is complete, ${ROUNDS} times on one data directory`, async () => {
  server = await startProcess(dataDir);
  for (let writer = 0; writer < WRITERS; writer++) await send('POST', '/api/admin/environments', { name: `e${writer}` });
  for (let round = 1; round <= ROUNDS; round++) {
    await catchUp();
    answered = 0;
    const load = Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => writeUntilCutOff(`e${writer}`)));
    await answers(randomInt(WRITERS, MAX_ANSWERS));
    await pause(randomInt(MAX_EXTRA_MS));
    await server.end('SIGKILL');
    await load;
    assertClean(`round ${round}, before the restart`);
    server = await startProcess(dataDir);
    await catchUp();
    await assertComplete(`round ${round}`);
  }
  assert.ok((await loggedRevisions()).length > ROUNDS * WRITERS, 'too little was written to test anything');
  assertContents();
});

/** The document stays about as large as it is: the larger it is, the longer everything takes that is not tested here. */
async function writeUntilCutOff(name: string): Promise<never> {
  for (let count = 0; ; count++) {
    const body = { name, environment_variables: [{ name: `V${count}_${randomInt(1e9)}`, value: 'x'.repeat(randomInt(2000)) }] };
    await send('PUT', `/api/admin/environments/${name}`, body);
    answered++;
  }
}

/** Waits for so many acknowledged writes, however busy the machine is. */
async function answers(wanted: number): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(1)) {
    if (answered >= wanted) return;
  }
  assert.fail(`only ${answered} of ${wanted} writes were acknowledged`);
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json', 'If-Match': '*' };
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (body) assert.equal(response.status, 200, `${method} ${path}: ${await response.text()}`);
  return response;
}

/** A request for an unknown document is answered when the history has all changes. */
async function catchUp(): Promise<void> {
  assert.equal((await send('GET', `/api/admin/config/${UNKNOWN}.xml`)).status, 404);
}

function assertClean(when: string): void {
  const output = git('fsck', '--full', '--strict', '--no-dangling');
  assert.equal(output, '', `${when}: ${output}`);
}

async function assertComplete(when: string): Promise<void> {
  assertClean(when);
  const revisions = await loggedRevisions();
  const indexed = rowsOf('history/index.db', 'select revision, commit_id as "commit" from indexed order by revision');
  assert.deepEqual(
    indexed.map((row) => row.revision),
    revisions,
    `${when}: the index has each revision once`,
  );
  const commits = git('rev-list', '--reverse', 'master').trim().split('\n');
  assert.deepEqual(
    commits,
    indexed.map((row) => row.commit),
    `${when}: the branch has each revision once`,
  );
}

/** Each commit holds the document whose MD5 the index has. */
function assertContents(): void {
  const rows = rowsOf('history/index.db', 'select md5, commit_id as "commit" from indexed');
  const input = rows.map(({ commit }) => `${commit}:cruise-config.xml\n`).join('');
  const shown = execFileSync('git', ['-C', repository, 'cat-file', '--batch'], { input, maxBuffer: MAX_SHOWN_BYTES });
  let at = 0;
  for (const { md5, commit } of rows) {
    const begin = shown.indexOf('\n', at) + 1;
    const size = Number(shown.toString('latin1', at, begin).trim().split(' ')[2]);
    const content = shown.subarray(begin, begin + size);
    assert.equal(createHash('md5').update(content).digest('hex'), md5, String(commit));
    at = begin + size + 1;
  }
  assert.equal(at, shown.length);
}

async function loggedRevisions(): Promise<number[]> {
  return (await rowsIn(dataDir, 'select revision from revisions order by revision')).map((row) => Number(row.revision));
}

function rowsOf(file: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
