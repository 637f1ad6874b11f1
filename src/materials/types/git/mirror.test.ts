import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailure } from '../../../kit/process/command.ts';
import { isDamage } from './mirror.ts';

const complaint = (stderr: string) => new CommandFailure(`git ended with status 128: ${stderr}`, 'git', 128, stderr);

test('damage of our own copy is distinguished from failures of the repository, or of a login', () => {
  for (const stderr of [
    'fatal: not a git repository: mirror.git',
    'fatal: bad object HEAD',
    "error: unable to read sha1 file of a.txt\nfatal: could not read 'objects/info/x'",
    'error: inflate: data stream error (incorrect header check)',
  ]) {
    assert.ok(isDamage(complaint(stderr)), stderr);
  }
  for (const stderr of [
    "fatal: could not read Username for 'https://git.example.org': terminal prompts disabled",
    "fatal: could not read Password for 'https://bob@git.example.org': terminal prompts disabled",
    "error: unable to read askpass response from 'x'",
    'git@git.example.org: Permission denied (publickey).\r\nfatal: Could not read from remote repository.',
    'remote: fatal: bad object HEAD\nfatal: protocol error',
  ]) {
    assert.ok(!isDamage(complaint(stderr)), stderr);
  }
});
