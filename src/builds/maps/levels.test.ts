// The columns of maps, also of ones that go round in a circle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinkedNode, levelsOf } from './levels.ts';

function columns(start: string, links: readonly (readonly [string, string])[]): string[][] {
  const nodes = new Map<string, LinkedNode & { parents: Set<string>; dependents: Set<string> }>();
  const node = (key: string) => nodes.getOrInsertComputed(key, () => ({ key, parents: new Set(), dependents: new Set() }));
  node(start);
  for (const [from, to] of links) {
    node(from).dependents.add(to);
    node(to).parents.add(from);
  }
  return levelsOf(nodes, nodes.get(start)!).map((level) => level.map(({ key }) => key).toSorted());
}

test('a node stands to the right of all its sources', () => {
  const diamond = [
    ['git', 'a'],
    ['a', 'b'],
    ['b', 'now'],
    ['a', 'now'],
    ['now', 'c'],
    ['c', 'd'],
    ['now', 'd'],
  ] as const;
  assert.deepEqual(columns('now', diamond), [['git'], ['a'], ['b'], ['now'], ['c'], ['d']]);
});

test('nodes without a source stand in the first column', () => {
  const links = [
    ['git', 'a'],
    ['a', 'now'],
    ['tools', 'now'],
  ] as const;
  assert.deepEqual(columns('now', links), [['git', 'tools'], ['a'], ['now']]);
  assert.deepEqual(columns('alone', []), [['alone']]);
});

test('names that went round in a circle over time have columns, too', () => {
  const circle = [
    ['git', 'a'],
    ['a', 'b'],
    ['b', 'a'],
    ['b', 'now'],
  ] as const;
  assert.deepEqual(columns('now', circle).flat().toSorted(), ['a', 'b', 'git', 'now']);
});
