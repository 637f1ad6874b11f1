import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntityChange } from '../store/revisions/revision-log.ts';
import { changesBefore } from './entity-changes.ts';

const LAST = 200;

function change(revision: number, characters: number): EntityChange {
  const value = 'x'.repeat(characters / 2);
  const metadata = { time: '', actor: '', address: null, reason: null, token: null, name: null, created: 1, position: 0, changeCount: 1 };
  return { ...metadata, revision, operation: 'update', kind: 'pipelines', key: 'p', before: value, after: value };
}

/** The revisions that are found, and the sizes of the pages that were asked for. */
async function readAll(characters: number, end: number) {
  const sizes: number[] = [];
  const log = {
    changesOf: async (_kind: string, _key: string, before: number, limit: number) => {
      sizes.push(limit);
      const newest = Math.min(LAST, before - 1);
      return Array.from({ length: Math.min(limit, newest) }, (_, index) => change(newest - index, characters));
    },
  };
  const found: number[] = [];
  for await (const { revision } of changesBefore(log, { name: 'pipelines' }, 'p', end)) found.push(revision);
  return { found, sizes };
}

const downFrom = (newest: number) => Array.from({ length: newest }, (_, index) => newest - index);

test('all changes before a revision come, newest first', async () => {
  assert.deepEqual((await readAll(10, Number.MAX_SAFE_INTEGER)).found, downFrom(LAST));
  assert.deepEqual((await readAll(10, 6)).found, downFrom(5));
  assert.deepEqual((await readAll(10, 1)).found, []);
});

test('pages of small values are long, pages of large ones short', async () => {
  assert.deepEqual((await readAll(10, LAST + 1)).sizes, [1, 4, 16, 50, 50, 50, 50]);
  const large = await readAll(400_000, LAST + 1);
  assert.deepEqual([large.found, Math.max(...large.sizes)], [downFrom(LAST), 2]);
  assert.equal(Math.max(...(await readAll(4_000_000, 11)).sizes), 1);
});
