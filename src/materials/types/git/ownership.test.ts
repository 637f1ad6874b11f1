import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAboutOwnership, withAdvice } from './ownership.ts';

test('the advice of git is replaced, and nothing else', () => {
  const complaint = [
    "fatal: detected dubious ownership in repository at '/srv/app/.git'",
    'To add an exception for this directory, call:',
    '',
    '\tgit config --global --add safe.directory /srv/app/.git',
    'fatal: Could not read from remote repository.',
    '',
    'Please make sure you have the correct access rights',
    'and the repository exists.',
  ].join('\n');
  const ours =
    'The repository /srv/app/.git belongs to another user: give it to the user of this server, or set GIT_CONFIG_GLOBAL in the environment of the server to a file of git settings in which safe.directory names it.';
  assert.ok(isAboutOwnership(complaint));
  assert.equal(withAdvice(complaint), ours);
  assert.equal(withAdvice(`before\n${complaint}\nafter`), `before\n${ours}\nafter`);
  const other = "fatal: '/srv/x' does not appear to be a git repository\nfatal: Could not read from remote repository.";
  assert.ok(!isAboutOwnership(other));
  assert.equal(withAdvice(other), other);
});
