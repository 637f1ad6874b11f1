// A server that is killed while it makes a backup: the record says so, no half folder stays, nothing is lost, the next backup works.
// Once in each long phase; `test/backup/kill.test.ts` does it more often without the rest of a server.
// Twenty times in each: TEST_ROUNDS=20 npm test -- test/stories/backup-crash.test.ts
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyBackup } from '../../src/backup/verify/verify-backup.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { childrenOf, untilDead } from '../support/server/alive.ts';
import { untilKeeper } from '../support/server/keeper.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';
import { until } from '../support/until.ts';

const ROUNDS_PER_PHASE = Number(process.env.TEST_ROUNDS ?? 1);
const PHASES = ['', 'config', 'history', 'database', 'verification', 'script'];
/** The others are over so soon that a kill seldom hits them. */
const LONG_PHASES = ['database', 'verification', 'script'];
const KILLED_PHASES = process.env.TEST_ROUNDS === undefined ? LONG_PHASES : PHASES;
const ROUNDS = ROUNDS_PER_PHASE * KILLED_PHASES.length;
const REVISIONS = 40;
const AUTHORIZATION = `Basic ${Buffer.from('admin:secret').toString('base64')}`;
const STORE = '/api/admin/artifact_stores';
const directory = mkdtempSync(join(tmpdir(), 'slipway-backup-crash-'));
const folder = join(directory, 'data', 'artifacts', 'serverBackups');
const script = join(directory, 'after-backup');
const scriptPids = join(directory, 'script-pids');
let server: ServerProcess | undefined;

after(async () => {
  await server?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

test(`backups survive ${ROUNDS_PER_PHASE} kills in each of ${KILLED_PHASES.length} phases`, {
  timeout: PATIENCE_MS * ROUNDS,
}, async (context) => {
  writeFileSync(script, `#!/bin/sh\necho $$ >> ${scriptPids}\nsleep 0.5\n`);
  chmodSync(script, 0o755);
  await start();
  await send('PUT', '/api/config/backup', { post_backup_script: script });
  // Enough to make every phase long enough to be hit.
  for (let n = 0; n < REVISIONS; n++) await writeStore(n);
  const hit = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = KILLED_PHASES[round % KILLED_PHASES.length]!;
    const store = await writeStore(REVISIONS + round);
    const { location } = await send('POST', '/api/backups');
    const phase = await waitForPhase(location!, wanted);
    await delay(Math.random() * 20);
    const workers = childrenOf(server!.child.pid!);
    await server!.end('SIGKILL');
    for (const pid of workers) await untilDead(pid, 'a process of the killed server');
    hit.set(phase, (hit.get(phase) ?? 0) + 1);
    await start();
    const when = `round ${round}, killed in ${phase || 'the beginning'}`;
    await compareWith(location!, when);
    assert.deepEqual((await send('GET', `${STORE}/large`)).body, store, when);
    await mustBeGone(scriptPids, when);
  }
  context.diagnostic(`killed in ${[...hit].map(([phase, times]) => `${phase || 'the beginning'}: ${times}`).join(', ')}`);
  for (const phase of LONG_PHASES) assert.ok(hit.has(phase), `nothing was killed in ${phase}`);
  // As a process leaves it that outlived its server.
  const late = join(folder, '.backup_20200101-000000.scratch');
  mkdirSync(late);
  const { location } = await send('POST', '/api/backups');
  const last = await end(location!);
  assert.deepEqual([last.status, last.verified], ['COMPLETED', true], JSON.stringify(last));
  await until('the removal of what was left later', () => !existsSync(late));
});

/** The outcome of a backup that was cut off. */
async function compareWith(location: string, when: string): Promise<void> {
  const { body } = await send('GET', location);
  if (body.status === 'IN_PROGRESS') assert.fail(`${when}: still in progress`);
  if (body.status === 'ABORTED') assert.equal(body.message, 'Server shut down while backup in progress.', when);
  assert.notEqual(body.status, 'ERROR', when);
  const left = existsSync(folder) ? readdirSync(folder) : [];
  assert.deepEqual(
    left.filter((name) => name.startsWith('.')),
    [],
    `${when}: something is left over`,
  );
  if (!existsSync(body.path)) return;
  const { problems } = await verifyBackup({ folder: body.path, scratch: join(directory, 'scratch') }, () => {});
  assert.deepEqual(problems, [], `${when}: a folder that is not whole has the name of one that is`);
  rmSync(body.path, { recursive: true });
}

async function waitForPhase(location: string, wanted: string): Promise<string> {
  for (let phase = ''; ; await delay(1)) {
    const { body } = await send('GET', location);
    phase = body.phases.at(-1)?.name ?? '';
    if (phase === wanted || PHASES.indexOf(phase) >= PHASES.indexOf(wanted) || body.status !== 'IN_PROGRESS') return phase;
  }
}

async function end(location: string) {
  for (;;) {
    const { body } = await send('GET', location);
    if (body.status !== 'IN_PROGRESS') return body;
    await delay(20);
  }
}

/** The script must not outlive the server for long: the next server would not know of it. */
async function mustBeGone(pids: string, when: string): Promise<void> {
  const all = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').filter(Boolean) : [];
  for (const pid of all) await untilDead(Number(pid), `${when}: the script`);
}

async function writeStore(n: number): Promise<unknown> {
  const body = { id: 'large', plugin_id: 'not.installed', properties: [{ key: 'TEXT', value: `${n} `.repeat(100_000) }] };
  return n === 0 ? (await send('POST', STORE, body)).body : (await send('PUT', `${STORE}/large`, body)).body;
}

async function start(): Promise<void> {
  const dataDir = join(directory, 'data');
  server = await startProcess(dataDir);
  await untilKeeper(dataDir, server);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function send(method: string, path: string, body?: unknown): Promise<{ readonly body: any; readonly location: string | null }> {
  const response = await fetch(server!.url + path, {
    method,
    headers: {
      Authorization: AUTHORIZATION,
      Accept: 'application/vnd.svc+json',
      'X-Svc-Confirm': 'true',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(method === 'PUT' && { 'If-Match': '*' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return { body: text === '' ? undefined : withoutLinks(text, server!.url), location: response.headers.get('location') };
}

function withoutLinks(text: string, url: string): unknown {
  return JSON.parse(text.replaceAll(url, ''));
}
