import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitIn, mostOpenFiles } from './open-files.ts';

const line = (soft: string) => `Max processes             127000               127000               processes
Max open files            ${soft.padEnd(20)} 1048576              files
`;

test('the soft limit of open files', () => {
  assert.equal(limitIn(line('1024')), 1024);
  assert.equal(limitIn(line('unlimited')), Number.MAX_SAFE_INTEGER);
  assert.equal(limitIn('Max processes 1 1 processes'), undefined);
});

test('that of this process', () => {
  assert.ok(mostOpenFiles() >= 100);
});
