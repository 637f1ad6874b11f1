// The process of the command line: what it does when its output cannot be written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts');
const FULL_DISK = '/dev/full';

test('a full disk is reported in one line', { skip: !existsSync(FULL_DISK) }, () => {
  const full = openSync(FULL_DISK, 'w');
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  assert.equal(status, 1);
  assert.equal(stderr, 'The output cannot be written: ENOSPC: no space left on device, write\n');
});
