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

test('all lines are written at the end, also when the threads of the process are busy then', () => {
  const busy =
    "import { pbkdf2 } from 'node:crypto'; process.prependListener('exit', () => pbkdf2('', '', 500_000, 32, 'sha256', () => {}));";
  for (const end of ['', 'process.exit(3)', 'throw new Error()']) {
    const body = `${busy} for (let n = 0; n < 100; n++) log.info({}, 'line ' + n); ${end}`;
    const { stdout } = spawnSync(process.execPath, program(body), { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } });
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
