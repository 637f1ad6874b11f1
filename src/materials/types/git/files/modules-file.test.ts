import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedSubmodules } from './modules-file.ts';

const printed = (...records: string[]) => records.map((record) => `${record}\0`).join('');

test('addresses and paths may look like keys, and names may have dots', () => {
  const text = printed(
    'submodule.a.path\nlibs/a.d/',
    'submodule.a.url\nhttps://h.example.org/a.git',
    'submodule.b.c.d.path\nb',
    'submodule.b.c.d.url\next::sh -c id.git',
    'submodule.two lines.path\ntwo',
    'submodule.two lines.url\nhttps://h.example.org/\nx.y',
  );
  assert.deepEqual(namedSubmodules(text), [
    { path: 'libs/a.d', url: 'https://h.example.org/a.git' },
    { path: 'b', url: 'ext::sh -c id.git' },
    { path: 'two', url: 'https://h.example.org/\nx.y' },
  ]);
});

test('submodules without a path or an address, or with update = none, are left out', () => {
  const text = printed(
    'submodule.a.path\na',
    'submodule.b.url\nx',
    'submodule.c.path\nc',
    'submodule.c.url\nx',
    'submodule.c.update\nnone',
    'submodule.d.url',
  );
  assert.deepEqual(namedSubmodules(text), []);
});
