import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkTree } from './links.ts';

/** A text with `->` before it is where a link leads to. */
function linkedPaths(paths: Readonly<Record<string, string>>): Record<string, string> {
  const tree = new LinkTree();
  const found: Record<string, string> = {};
  const entries = Object.entries(paths).map(([path, text]) => ({
    path,
    id: path,
    kind: text.startsWith('->') ? ('link' as const) : ('file' as const),
  }));
  for (const entry of entries) tree.add(entry, paths[entry.path]!.slice(2));
  for (const entry of entries.filter(({ kind }) => kind === 'link')) {
    for (const one of tree.through(entry, paths[entry.path]!.slice(2))) {
      found[one.path] = 'entry' in one ? one.entry.path : one.message.replace(`${one.path} is a symbolic link that `, '! ');
    }
  }
  return found;
}

test('links to files are followed by every way that stays inside', () => {
  assert.deepEqual(
    linkedPaths({
      'a.yaml': '',
      'd/b.yaml': '',
      l1: '->a.yaml',
      l2: '->./d//b.yaml',
      'd/l3': '->../a.yaml',
      'd/l4': '->../d/../d/b.yaml',
      l5: '->l4',
      l4: '->d/l3',
      'e/f/l6': '->../../folder/b.yaml',
      folder: '->d',
    }),
    {
      l1: 'a.yaml',
      l2: 'd/b.yaml',
      'd/l3': 'a.yaml',
      'd/l4': 'd/b.yaml',
      l5: 'a.yaml',
      l4: 'a.yaml',
      'e/f/l6': 'd/b.yaml',
      'folder/b.yaml': 'd/b.yaml',
      'folder/l3': 'a.yaml',
      'folder/l4': 'd/b.yaml',
    },
  );
});

test('links out of the repository, to nothing or in circles are problems', () => {
  assert.deepEqual(
    linkedPaths({
      'a.yaml': '',
      'd/b.yaml': '',
      abs: '->/etc/passwd',
      up: '->../a.yaml',
      'd/up': '->../../x/../a.yaml',
      through: '->leave/a.yaml',
      leave: '->../..',
      none: '->nothing',
      empty: '->',
      inside: '->a.yaml/x',
      self: '->self',
      one: '->two',
      two: '->one',
    }),
    {
      abs: '! leads out of the repository.',
      up: '! leads out of the repository.',
      'd/up': '! leads out of the repository.',
      through: '! leads out of the repository.',
      leave: '! leads out of the repository.',
      none: '! leads to nothing in the repository.',
      empty: '! leads to nothing in the repository.',
      inside: '! leads to nothing in the repository.',
      self: '! leads back to itself.',
      one: '! leads back to itself.',
      two: '! leads back to itself.',
    },
  );
});

test('links to folders that contain them are problems', () => {
  assert.deepEqual(linkedPaths({ 'd/a.yaml': '', 'd/self': '->.', 'd/e/up': '->..', root: '->./' }), {
    'd/self': '! leads back to itself.',
    'd/e/up': '! leads back to itself.',
    root: '! leads back to itself.',
  });
  assert.deepEqual(linkedPaths({ 'a/x': '', 'a/l': '->../b', 'b/y': '', 'b/l': '->../a' }), {
    'a/l/y': 'b/y',
    'a/l/l': '! leads back to itself.',
    'b/l/x': 'a/x',
    'b/l/l': '! leads back to itself.',
  });
});

test('the first of two entries of one name counts', () => {
  assert.deepEqual(linkedPaths({ a: '', 'a/b': '', l: '->a', m: '->a/b' }), { l: 'a', m: '! leads to nothing in the repository.' });
});
