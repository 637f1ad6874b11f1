// Backups, their scripts, copies and mails under SIGKILL, in each phase: nothing is lost, nothing is done twice, no half folder stays.
// Twenty times in each phase: TEST_ROUNDS=20 npm test -- test/backup/kill.test.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyBackup } from '../../src/backup/verify/verify-backup.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { untilDead } from '../support/server/alive.ts';
import { startProcess } from '../support/server/server-process.ts';
import { TestBucket } from '../support/services/s3.ts';
import { headerOf, SmtpTestServer } from '../support/services/smtp.ts';
import type { Order } from './backups-process.ts';

const ROUNDS_PER_PHASE = Number(process.env.TEST_ROUNDS ?? 1);
const PHASES = ['beginning', 'config', 'history', 'database', 'verification', 'copy', 'script', 'mail'];
const ROUNDS = ROUNDS_PER_PHASE * PHASES.length;
const REVISIONS = 20;
const PROGRAM = join(import.meta.dirname, 'backups-process.ts');
const directory = mkdtempSync(join(tmpdir(), 'slipway-backup-kill-'));
const dataDir = join(directory, 'data');
const folder = join(dataDir, 'artifacts', 'serverBackups');
const scriptRuns = join(directory, 'script-runs');
let smtp: SmtpTestServer;
let bucket: TestBucket;

after(async () => {
  await smtp?.stop();
  await bucket?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test(`backups survive ${ROUNDS_PER_PHASE} kills in every phase`, { timeout: PATIENCE_MS * ROUNDS }, async (context) => {
  [smtp, bucket] = await Promise.all([SmtpTestServer.start(), TestBucket.start(), makeData()]);
  const order = { dataDir, smtpPort: smtp.port, script: makeScript(), bucket: bucket.settings, isLast: false };
  const hits = new Map<string, number>();
  const whole = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const phase = await runAndKill(order, PHASES[round % PHASES.length]!);
    hits.set(phase, (hits.get(phase) ?? 0) + 1);
    for (const { pid } of runsOfScript()) await untilDead(pid, `round ${round}, killed in ${phase}: the script`);
    for (const name of namedFolders()) if (!whole.has(name)) await mustBeWhole(name, `round ${round}, killed in ${phase}`);
    for (const name of namedFolders()) whole.add(name);
  }
  await runToTheEnd({ ...order, isLast: true });
  context.diagnostic(`killed in ${[...hits].map(([phase, times]) => `${phase}: ${times}`).join(', ')}`);
  for (const phase of ['database', 'verification', 'copy', 'script', 'mail']) assert.ok(hits.has(phase), `never killed in ${phase}`);

  const records = read<RecordRow>('select status, message, path, copy from backups order by id');
  assert.equal(records.length, ROUNDS, 'a backup that was asked for has a record');
  for (const { status, path, message, copy } of records) {
    const what = `${basename(path)}: ${status} ${message}`;
    assert.ok(status === 'COMPLETED' || message === 'Server shut down while backup in progress.', what);
    if (status === 'COMPLETED') assert.ok(whole.has(basename(path)), `${what}, but there is no folder`);
    if (!copy) continue;
    assert.equal((JSON.parse(copy) as { status: string }).status, 'completed', what);
    mustBeCopied(path, what);
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [...whole].toSorted(), 'something is left over');
  const ran = runsOfScript().map(({ path }) => path);
  assert.equal(new Set(ran).size, ran.length, 'a script ran twice for one backup');
  const ended = records.map(({ status, path, message }) => (status === 'COMPLETED' ? `completed ${path}` : `failed ${message}`));
  const subjects = smtp.received.map(({ raw }) => headerOf(raw, 'Subject')!);
  // Killed between the mark and the mail: see docs/decisions/012-outbox.md.
  const unconfirmed = read<{ subject: string }>("select subject from outbox where ended_as = 'unconfirmed'").map(({ subject }) => subject);
  // Several may have the same subject.
  const notSent = without(ended, subjects);
  assert.deepEqual([without(subjects, ended), without(notSent, unconfirmed)], [[], []], 'one mail for each, and no other');
  assert.ok(notSent.length <= 1, `${notSent.length} mails were killed in a fraction of a millisecond`);
});

async function makeData(): Promise<void> {
  const server = await startProcess(dataDir);
  for (let n = 0; n < REVISIONS; n++) {
    const body = { id: `store-${n}`, plugin_id: 'not.installed', properties: [{ key: 'TEXT', value: `${n} `.repeat(50_000) }] };
    const response = await fetch(`${server.url}/api/admin/artifact_stores`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}`,
        Accept: 'application/vnd.svc+json',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.text());
  }
  await server.end('SIGTERM');
}

function makeScript(): string {
  const path = join(directory, 'after-backup');
  writeFileSync(path, `#!/bin/sh\necho "$$ $SVC_BACKUP_PATH" >> ${scriptRuns}\nsleep 0.1\n`);
  chmodSync(path, 0o755);
  return path;
}

function runsOfScript(): { readonly pid: number; readonly path: string }[] {
  const lines = existsSync(scriptRuns) ? readFileSync(scriptRuns, 'utf8').trim().split('\n') : [];
  return lines.map((line) => ({ pid: Number(line.split(' ', 1)), path: line.slice(line.indexOf(' ') + 1) }));
}

/** Says in which phase it was killed: one that is too short to be hit leaves it to the next. */
async function runAndKill(order: Order, wanted: string): Promise<string> {
  const child = start(order);
  const ended = once(child, 'close');
  let phase = '';
  for await (const line of createInterface(child.stdout)) {
    assert.ok(line.startsWith('at '), line);
    phase = line.slice('at '.length);
    if (PHASES.indexOf(phase) >= PHASES.indexOf(wanted)) break;
  }
  assert.ok(PHASES.indexOf(phase) >= PHASES.indexOf(wanted), `it ended by itself before ${wanted}`);
  await delay(Math.random() * 20);
  child.kill('SIGKILL');
  await ended;
  return phase;
}

async function runToTheEnd(order: Order): Promise<void> {
  const child = start(order);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [status] = await once(child, 'close');
  assert.equal(status, 0, output);
}

function start(order: Order) {
  return spawn(process.execPath, [PROGRAM, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function namedFolders(): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
}

async function mustBeWhole(name: string, when: string): Promise<void> {
  const { problems } = await verifyBackup({ folder: join(folder, name), scratch: join(directory, 'scratch') }, () => {});
  assert.deepEqual(problems, [], `${when}: a folder that is not whole has the name of one that is`);
}

function mustBeCopied(path: string, what: string): void {
  for (const name of readdirSync(path)) {
    const copy = readFileSync(bucket.fileOf(`slipway/${basename(path)}/${name}`));
    // `mustBeWhole` has written the time of its own verification into this one.
    if (name !== 'manifest.json') assert.ok(copy.equals(readFileSync(join(path, name))), `${what}: ${name}`);
  }
}

interface RecordRow {
  readonly status: string;
  readonly message: string;
  readonly path: string;
  readonly copy: string | null;
}

function read<Row>(query: string): Row[] {
  const database = new DatabaseSync(join(dataDir, 'slipway.db'), { readOnly: true });
  try {
    return database.prepare(query).all() as Row[];
  } finally {
    database.close();
  }
}

/** Of two equal ones, taking away one leaves the other. */
function without(all: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...all];
  for (const one of taken) if (left.includes(one)) left.splice(left.indexOf(one), 1);
  return left;
}
