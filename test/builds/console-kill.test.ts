// A server that is killed while it writes a console: acknowledged lines are there, once and in order, and the agent can go on.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { ConsoleLab } from './console-lab.ts';
import { lineOf } from './console-process.ts';

const ROUNDS = 12;
/** On a busy machine few lines are written in a round. */
const MAX_ROUNDS = 20 * ROUNDS;
const lab = new ConsoleLab();
after(() => lab.close());

/** Runs it for a while, kills it and returns its output. */
async function killed(first: number, milliseconds: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'console-process.ts'), lab.root, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(child, 'exit');
  await until('its first word', () => output !== '' || child.exitCode !== null);
  await pause(milliseconds);
  child.kill('SIGKILL');
  const [code] = await exited;
  assert.equal(code, null, 'it ended on its own');
  return output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
}

test('no line is lost or doubled by kills', async () => {
  let next = 0;
  const notes: string[] = [];
  for (let round = 0; round < ROUNDS || (next <= ROUNDS && round < MAX_ROUNDS); round++) {
    const said = await killed(next, 20 + (round % ROUNDS) * 7);
    notes.push(...said.filter((word) => word.startsWith('note')));
    const acknowledged = said.filter((word) => /^\d+$/.test(word)).map(Number);
    // The agent sends again from the last acknowledgement that it has heard of.
    next = (acknowledged.at(-1) ?? next - 1) + 1;
  }
  assert.ok(next > ROUNDS, `${next} lines`);
  const lines = lab.text().split('\n');
  const ofAgent = lines.filter((line) => line.startsWith('line')).map((line) => `${line}\n`);
  assert.deepEqual(
    ofAgent,
    ofAgent.map((_, index) => lineOf(index)),
  );
  assert.ok(ofAgent.length >= next, `${ofAgent.length} of ${next}`);
  const texts = lines.filter((line) => line.startsWith('##|')).map((line) => line.slice('##|HH:MM:SS.mmm '.length));
  for (const note of notes) assert.ok(texts.includes(note), note);
});
