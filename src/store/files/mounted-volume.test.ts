import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVolume } from './mounted-volume.ts';

const EMPTY_DIR = { uid: 0, gid: 8153, mode: 0o042777, dev: 2 };

test('a directory that Kubernetes mounts with fsGroup is a volume', () => {
  assert.ok(isVolume(EMPTY_DIR, 1, [8153]));
  assert.ok(isVolume({ ...EMPTY_DIR, mode: 0o042775 }, 1, [1000, 8153]));
});

test('other directories of root are no volumes', () => {
  assert.ok(!isVolume(EMPTY_DIR, 2, [8153]), 'it is not mounted');
  assert.ok(!isVolume(EMPTY_DIR, 1, [1000]), 'it is not of our group');
  assert.ok(!isVolume({ ...EMPTY_DIR, mode: 0o040777 }, 1, [8153]), 'its group is an accident');
  assert.ok(!isVolume({ ...EMPTY_DIR, uid: 1000 }, 1, [8153]), 'another user can read what is in it');
});
