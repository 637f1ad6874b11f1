// The log of a process: nothing is missing at its end, whatever ended it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const LOG = pathToFileURL(join(import.meta.dirname, 'log.ts')).href;
const program = (body: string) => [
  '--input-type=module',
  '--eval',
  `import { openLog } from ${JSON.stringify(LOG)}; const log = openLog('info'); ${body}`,
];
const messages = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

test('all lines are written at the end', () => {
  for (const end of ['', 'process.exit(3)', 'throw new Error()']) {
    const { stdout } = spawnSync(process.execPath, program(`for (let n = 0; n < 100; n++) log.info({}, 'line ' + n); ${end}`), {
      encoding: 'utf8',
    });
    assert.deepEqual(
      messages(stdout),
      Array.from({ length: 100 }, (_, n) => `line ${n}`),
      end,
    );
  }
});

test('lines of a process that goes on are written soon', async () => {
  const child = spawn(
    process.execPath,
    program(`log.info({}, 'first'); log.info({ second: true }, 'second'); setInterval(() => {}, 1000)`),
  );
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === 2) break;
  assert.deepEqual(messages(lines.join('\n')), ['first', 'second']);
  child.kill('SIGKILL');
});
