// Tests that the program of a plugin leaves no processes behind.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { untilDead } from '../../../test/support/server/alive.ts';
import { PluginProgram } from './program.ts';

test('background processes of a plugin end with it', async () => {
  const manifest = { id: 'p', command: ['sh', '-c', 'sleep 300 & echo $!'], seconds: 20, megabytes: 500 };
  const program = new PluginProgram(manifest as never, { directory: tmpdir(), path: process.env.PATH ?? '' });
  const pid = Number(await program.ask({}));
  assert.ok(pid > 0);
  await untilDead(pid, 'what the plugin started:');
});
