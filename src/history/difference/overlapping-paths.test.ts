import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlappingPaths } from './overlapping-paths.ts';

test('a field overlaps with itself, with those around it and with those in it', () => {
  const overlaps = overlappingPaths(['/stages/1/jobs', '/name']);
  for (const path of ['', '/stages', '/stages/1', '/stages/1/jobs', '/stages/1/jobs/0/name', '/name']) assert.ok(overlaps(path), path);
  for (const path of ['/stages/10', '/stages/1/job', '/stages/1/jobs2', '/names', '/nam']) assert.ok(!overlaps(path), path);
});

test('everything overlaps with the whole entity, and nothing with no field', () => {
  assert.ok(['', '/a', '/a/b'].every(overlappingPaths([''])));
  assert.ok(!['', '/a', '/a/b'].some(overlappingPaths([])));
});
