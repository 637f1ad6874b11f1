// The outbox under SIGKILL: no mail comes twice, and no kept mail is lost unless its fate is unknown, which is reported.
// Twenty times each: TEST_ROUNDS=20 npm test -- test/mail/outbox-kill.test.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import { headerOf, MOMENTS, SmtpTestServer } from '../support/services/smtp.ts';

const AT_RANDOM = Number(process.env.TEST_ROUNDS ?? 2);
const AT_EACH_MOMENT = Number(process.env.TEST_ROUNDS ?? 1);
const MAX_LOAD_MS = 500;
const program = join(import.meta.dirname, 'outbox-process.ts');
let folder: string;
let kept: string[];
let smtp: SmtpTestServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-outbox-'));
  kept = [];
  smtp = await SmtpTestServer.start();
});
afterEach(async () => {
  await smtp.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const moment of MOMENTS) {
  test(`no mail is lost or doubled by ${AT_EACH_MOMENT} kills when the mail server has come to "${moment}"`, async () => {
    for (let round = 0; round < AT_EACH_MOMENT; round++) {
      const child = start(`r${round}`, 1);
      smtp.onMoment = (now) => now === moment && child.kill('SIGKILL');
      await once(child, 'close');
    }
    smtp.onMoment = () => {};
    await run('last', 0);
    assert.deepEqual(kept.length, AT_EACH_MOMENT);
    assert.deepEqual(subjects().toSorted(), kept.toSorted(), 'each once');
  });
}

test(`no mail is lost or doubled by ${AT_RANDOM} kills at random`, { timeout: PATIENCE_MS * AT_RANDOM }, async (context) => {
  /** Killed in the fraction of a millisecond between the mark and the mail: not sent, and reported. */
  const inTheGap: string[] = [];
  for (let round = 0; round < AT_RANDOM; round++) {
    smtp.behaviour = { delayMs: randomInt(30) };
    await runAndKill(`r${round}`);
    await pause(200); // for bytes that the operating system still had to deliver
    const arrived = smtp.counts();
    for (const { message_id } of open('handed_over_at is null'))
      assert.ok(!arrived.has(message_id), `round ${round}: a mail that has arrived is going to be sent again`);
    for (const { message_id, subject } of open('handed_over_at is not null')) if (!arrived.has(message_id)) inTheGap.push(subject);
  }
  await run('last', 0);
  const arrived = new Set(subjects());
  assert.ok(kept.length > AT_RANDOM * 5, `only ${kept.length} mails: that tests nothing`);
  const missing = kept.filter((subject) => !arrived.has(subject));
  assert.deepEqual(
    missing.filter((subject) => !inTheGap.includes(subject)),
    [],
    'lost',
  );
  assert.deepEqual(
    [...smtp.counts()].filter(([, count]) => count > 1),
    [],
    'sent twice',
  );
  const unconfirmed = rows("ended_as = 'unconfirmed'").map(({ subject }) => subject);
  for (const subject of inTheGap) assert.ok(unconfirmed.includes(subject), `it is reported nowhere that ${subject} did not arrive`);
  context.diagnostic(`${kept.length} mails, ${unconfirmed.length} without an answer, ${inTheGap.length} killed in the gap`);
  // Hit now and then, not round after round; a few rounds show nothing of that.
  if (AT_RANDOM >= 20) assert.ok(inTheGap.length <= AT_RANDOM / 4, `${inTheGap.length} of ${AT_RANDOM} kills hit the gap`);
});

const subjects = () => smtp.received.map(({ raw }) => headerOf(raw, 'Subject')!);

interface Row {
  readonly message_id: string;
  readonly subject: string;
}

const open = (condition: string) => rows(`ended_at is null and ${condition}`);

function rows(condition: string): Row[] {
  const database = new DatabaseSync(join(folder, 'test.db'));
  try {
    return database.prepare(`select message_id, subject from outbox where ${condition}`).all() as unknown as Row[];
  } finally {
    database.close();
  }
}

async function runAndKill(prefix: string): Promise<void> {
  const before = smtp.received.length;
  const child = start(prefix, 1_000_000);
  const deadline = Date.now() + PATIENCE_MS;
  while (smtp.received.length === before && Date.now() < deadline) await pause(5);
  await pause(randomInt(MAX_LOAD_MS));
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function run(prefix: string, mails: number): Promise<void> {
  const child = start(prefix, mails);
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 0);
}

function start(prefix: string, mails: number) {
  const child = spawn(process.execPath, [program, folder, String(smtp.port), prefix, String(mails)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('kept ')) kept.push(line.slice('kept '.length));
      else assert.doesNotMatch(line, /^error/);
    }
  });
  return child;
}
