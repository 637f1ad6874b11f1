// The outbox under SIGKILL: nothing that was kept is lost, and nothing comes twice but what nobody can know of.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { headerOf, SmtpTestServer } from '../support/smtp.ts';

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 20);
const LONGEST_LOAD_MS = 500;
const LONGEST_ROUND_MS = 30_000;
const program = join(import.meta.dirname, 'outbox-process.ts');
const folder = mkdtempSync(join(tmpdir(), 'slipway-outbox-'));
const kept: string[] = [];
let smtp: SmtpTestServer;

after(async () => {
  await smtp?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(`${ROUNDS} times on one database`, { timeout: 300_000 }, async (context) => {
  smtp = await SmtpTestServer.start();
  /** Received, and killed before the mark that follows the closing dot: they will come again. */
  const inTheGap = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    smtp.behaviour = { delayMs: randomInt(30) };
    await runAndKill(`r${round}`);
    await pause(200); // what the operating system still had to deliver
    for (const { message_id } of open('handed_over_at is null')) if (smtp.counts().has(message_id)) inTheGap.add(message_id);
    for (const { message_id } of open('handed_over_at is not null')) {
      assert.ok(smtp.counts().has(message_id), `round ${round}: a mail that was never sent is taken for sent`);
    }
  }
  await run('last', 0);
  const arrived = new Set(smtp.received.map(({ raw }) => headerOf(raw, 'Subject')));
  assert.ok(kept.length > ROUNDS * 5, `only ${kept.length} mails: that tests nothing`);
  assert.deepEqual(
    kept.filter((subject) => !arrived.has(subject)),
    [],
    'lost',
  );
  const twice = [...smtp.counts()].filter(([id, count]) => count > (inTheGap.has(id) ? 2 : 1));
  assert.deepEqual(twice, [], 'sent twice');
  context.diagnostic(`${kept.length} mails, ${smtp.received.length} arrivals, ${inTheGap.size} killed in the gap`);
  // The gap is a fraction of a millisecond: hit now and then, not round after round.
  assert.ok(inTheGap.size <= Math.max(ROUNDS / 4, 3), `${inTheGap.size} of ${ROUNDS} kills hit the gap`);
});

function open(condition: string): { message_id: string }[] {
  const database = new DatabaseSync(join(folder, 'test.db'));
  try {
    const rows = database.prepare(`select message_id from outbox where ended_at is null and ${condition}`).all();
    return rows as unknown as { message_id: string }[];
  } finally {
    database.close();
  }
}

async function runAndKill(prefix: string): Promise<void> {
  const before = smtp.received.length;
  const child = start(prefix, 1_000_000);
  const deadline = Date.now() + LONGEST_ROUND_MS;
  while (smtp.received.length === before && Date.now() < deadline) await pause(5);
  await pause(randomInt(LONGEST_LOAD_MS));
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
