import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileChanges } from '../../../materials/files/contract.ts';
import type { StoredFile } from '../../../store/config-repos/files.ts';
import { filePlan } from './file-plan.ts';

const PARSER = 'yaml 1';
const digestOf = (as: string) => `digest of ${as}`;
const kept = (path: string, more: Partial<StoredFile> = {}): StoredFile => ({
  path,
  readAs: digestOf('definitions'),
  contentId: `id of ${path}`,
  parser: PARSER,
  isInForce: true,
  outline: '{}',
  ...more,
});
const file = (path: string, id = `id of ${path}`) => ({ path, id, from: path });
const changes = (more: Partial<FileChanges>): FileChanges => ({
  isComplete: false,
  changed: [],
  removed: [],
  problems: [],
  notes: [],
  cursor: 'm',
  ...more,
});

function plan(known: readonly StoredFile[], change: Partial<FileChanges>) {
  const all = changes(change);
  const readAs = new Map(all.changed.map(({ path }) => [path, 'definitions']));
  const { kept: staying, toRead, unreadable, gone } = filePlan(known, all, readAs, PARSER, digestOf);
  return {
    kept: [...staying.keys()],
    toRead: toRead.map(({ path }) => path),
    unreadable: unreadable.map(({ path }) => path),
    gone,
  };
}

test('only the changed files of a list of changes are read', () => {
  const known = [kept('a'), kept('b'), kept('c')];
  assert.deepEqual(plan(known, { changed: [file('b', 'other'), file('d')], removed: ['c', 'never-known'] }), {
    kept: ['a'],
    toRead: ['b', 'd'],
    unreadable: [],
    gone: ['c'],
  });
});

test('files of a complete list that are not known in the same form are read', () => {
  const known = [kept('a'), kept('b', { parser: 'yaml 0' }), kept('c', { readAs: digestOf('environment') }), kept('d')];
  assert.deepEqual(plan(known, { isComplete: true, changed: [file('a'), file('b'), file('c')] }), {
    kept: ['a'],
    toRead: ['b', 'c'],
    unreadable: [],
    gone: ['d'],
  });
});

test('a file that cannot be read replaces its known version, and stays until it changes', () => {
  const problem = { path: 'a', message: 'a is a link out of the repository.' };
  const first = filePlan([kept('a')], changes({ problems: [problem] }), new Map(), PARSER, digestOf);
  const [bad] = first.unreadable;
  assert.equal(JSON.parse(bad!.outline).problems[0].message, problem.message);
  const known = [{ ...bad!, isInForce: false }];
  assert.deepEqual(plan(known, { changed: [file('b')] }), { kept: ['a'], toRead: ['b'], unreadable: [], gone: [] });
  assert.deepEqual(plan(known, { isComplete: true, problems: [problem] }), { kept: ['a'], toRead: [], unreadable: [], gone: [] });
  assert.deepEqual(plan(known, { changed: [file('a')] }), { kept: [], toRead: ['a'], unreadable: [], gone: [] });
});
