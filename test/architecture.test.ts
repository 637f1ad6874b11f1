// The shape of the code: floors, and that a floor below does not speak of the ones above.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { registry } from '../src/resources/index.ts';
import { type Kind, kindsOf } from '../src/shape/resource.ts';
import { floorProblems } from '../tools/check-floors.ts';

const root = join(import.meta.dirname, '..');

test('imports only go down', () => {
  assert.deepEqual(floorProblems(), []);
});

test('the engine names no resource', () => {
  const names = Object.keys(registry);
  const files = globSync('src/{api,config}/**/*.ts', { cwd: root, exclude: ['src/api/endpoints/**'] });
  assert.ok(files.length > 20);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const name of names) assert.ok(!text.includes(`'${name}'`), `${file} names ${name}`);
  }
});

test('every source file says in its first line what it is for', () => {
  for (const file of globSync('{src,tools,bench,test}/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') && file.startsWith('src')) continue;
    assert.match(readFileSync(join(root, file), 'utf8'), /^\/\/ \S/, file);
  }
});

test('a key that one resource alone declares is justified', () => {
  const uses = new Map<string, number>();
  for (const kind of kindsOf(registry)) for (const key of keysOf(kind)) uses.set(key, (uses.get(key) ?? 0) + 1);
  assert.ok(uses.size > 30);
  const decision = readFileSync(join(root, 'docs', 'decisions', '028-declaration-keys.md'), 'utf8');
  const single = [...uses].filter(([, count]) => count === 1).map(([key]) => key.slice(key.lastIndexOf('.') + 1));
  assert.deepEqual(
    single.filter((key) => !new RegExp(`\\b${key}\\b`).test(decision)),
    [],
  );
});

/** The keys of a kind, and those of its parts as `plugin.kind`. */
function keysOf(kind: Kind): string[] {
  const parts = (['plugin', 'policy', 'shows'] as const).flatMap((part) => Object.keys(kind[part] ?? {}).map((key) => `${part}.${key}`));
  return [...Object.keys(kind), ...parts];
}
