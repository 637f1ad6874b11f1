import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitIn, maxOpenFiles, shareOf } from './open-files.ts';

const line = (soft: string) => `Max processes             127000               127000               processes
Max open files            ${soft.padEnd(20)} 1048576              files
`;

test('the soft limit of open files is read', () => {
  assert.equal(limitIn(line('1024')), 1024);
  assert.equal(limitIn(line('unlimited')), Number.MAX_SAFE_INTEGER);
  assert.equal(limitIn('Max processes 1 1 processes'), undefined);
});

test('the limit of this process is read', () => {
  assert.ok(maxOpenFiles() >= 100);
});

test('connections and transfers leave some open files to the rest', () => {
  assert.deepEqual(shareOf(1024), { connections: 618, transfers: 206 });
  for (const max of [1024, 4096, 65_536, 1_048_576, Number.MAX_SAFE_INTEGER]) {
    const { connections, transfers } = shareOf(max);
    assert.ok(connections + transfers <= max - 200, String(max));
  }
});

test('some connections and transfers are possible even with a very low limit', () => {
  assert.deepEqual(shareOf(64), { connections: 100, transfers: 50 });
});
