// Paths with parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathTree } from './path-tree.ts';

function treeOf(...paths: string[]): (path: string) => unknown {
  const tree = new PathTree<string>(10);
  for (const path of paths) tree.add(path, path);
  return (path) => {
    const found = tree.find(path);
    return found && [found.value, found.params];
  };
}

test('a path finds literal segments before parameters, and goes back where these lead nowhere', () => {
  const find = treeOf('/', '/a', '/a/:id', '/a/new', '/a/new/x', '/a/:id/y', '/a/:group/:name/z');
  assert.deepEqual(find('/'), ['/', {}]);
  assert.deepEqual(find('/a'), ['/a', {}]);
  assert.deepEqual(find('/a/1'), ['/a/:id', { id: '1' }]);
  assert.deepEqual(find('/a/new'), ['/a/new', {}]);
  assert.deepEqual(find('/a/new/x'), ['/a/new/x', {}]);
  assert.deepEqual(find('/a/new/y'), ['/a/:id/y', { id: 'new' }]);
  assert.deepEqual(find('/a/new/x/z'), ['/a/:group/:name/z', { group: 'new', name: 'x' }]);
  for (const path of ['/b', '/a/1/2', '/a/new/x/y', '//a', '/a//y', '', '*', 'xa']) assert.equal(find(path), undefined, path);
});

test('a slash at the end does not count; steps are decoded one by one', () => {
  const find = treeOf('/a', '/a/:id', '/a/:id/y');
  assert.deepEqual(find('/a/'), ['/a', {}]);
  assert.deepEqual(find('/a/1/'), ['/a/:id', { id: '1' }]);
  assert.deepEqual(find('/%61/b%2Fc%20d'), ['/a/:id', { id: 'b/c d' }]);
  assert.deepEqual(find('/a/b%2Fy'), ['/a/:id', { id: 'b/y' }]);
  assert.equal(find('/a/%ff'), undefined);
  assert.equal(find('/a/%'), undefined);
  assert.deepEqual(find(`/a/${'x'.repeat(10)}`), ['/a/:id', { id: 'x'.repeat(10) }]);
  assert.equal(find(`/a/${'x'.repeat(11)}`), undefined);
});

test('a parameter may have an ending', () => {
  const find = treeOf('/a/:id', '/a/:name.xml', '/a/:name.old.xml');
  assert.deepEqual(find('/a/1'), ['/a/:id', { id: '1' }]);
  assert.deepEqual(find('/a/1.xml'), ['/a/:name.xml', { name: '1' }]);
  assert.deepEqual(find('/a/1.old.xml'), ['/a/:name.old.xml', { name: '1' }]);
  assert.deepEqual(find('/a/.xml'), ['/a/:id', { id: '.xml' }]);
});

test('all steps that follow may be one parameter', () => {
  const find = treeOf('/a/:id/*path', '/a/:id/b', '/a/:id/b/:name.xml');
  assert.deepEqual(find('/a/1/x'), ['/a/:id/*path', { id: '1', path: 'x' }]);
  assert.deepEqual(find('/a/1/x/y%20z//%2e%2e/'), ['/a/:id/*path', { id: '1', path: 'x/y z//..' }]);
  assert.deepEqual(find('/a/1/b'), ['/a/:id/b', { id: '1' }]);
  assert.deepEqual(find('/a/1/b/c.xml'), ['/a/:id/b/:name.xml', { id: '1', name: 'c' }]);
  assert.deepEqual(find('/a/1/b/c'), ['/a/:id/*path', { id: '1', path: 'b/c' }]);
  assert.deepEqual(find(`/a/1/${'x'.repeat(11)}`), ['/a/:id/*path', { id: '1', path: 'x'.repeat(11) }]);
  assert.equal(find('/a/1'), undefined);
});

test('names of objects are names like all others', () => {
  const find = treeOf('/a/:id');
  assert.equal(find('/constructor'), undefined);
  assert.deepEqual(find('/a/__proto__'), ['/a/:id', { id: '__proto__' }]);
});

test('a second value at the same path is refused', () => {
  const tree = new PathTree<number>(10);
  tree.add('/a/:id', 1);
  assert.throws(() => tree.add('/a/:name', 2), /Two things have the path/);
  tree.add('/a/*path', 3);
  assert.throws(() => tree.add('/a/*rest', 4), /Two things have the path/);
});
