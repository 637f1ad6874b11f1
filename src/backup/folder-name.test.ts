import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderName, isBackupName, isLeftover, partialName, scratchName } from './folder-name.ts';

test('the folder has the time on the wall of the server, and a number when it is taken', () => {
  const time = new Date(2026, 0, 2, 3, 4, 5);
  assert.equal(
    folderName(time, () => false),
    'backup_20260102-030405',
  );
  const taken = new Set(['backup_20260102-030405', 'backup_20260102-030405-2']);
  assert.equal(
    folderName(time, (name) => taken.has(name)),
    'backup_20260102-030405-3',
  );
});

test('names of unfinished backups are distinguished from those of whole ones', () => {
  const name = 'backup_20260102-030405-3';
  assert.ok(isBackupName(name) && !isLeftover(name));
  for (const unfinished of [partialName(name), scratchName(name)]) assert.ok(isLeftover(unfinished) && !isBackupName(unfinished));
  assert.ok(!isBackupName('backup_by_hand'));
});
