import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlMaterials } from './yaml-materials.ts';

test('each of very many materials without a name has a key of its own', () => {
  const materials = Array.from({ length: 40_000 }, (_, index) => ({ type: 'git', url: `https://scm.example.org/${index}.git` }));
  assert.equal(yamlMaterials(materials).size, materials.length);
});

test('a key is found without looking through all materials', () => {
  let reads = 0;
  const material = (index: number) => ({
    type: 'git',
    url: `https://scm.example.org/${index}.git`,
    get name() {
      reads++;
      return '';
    },
  });
  yamlMaterials(Array.from({ length: 1000 }, (_, index) => material(index)));
  assert.ok(reads <= 10 * 1000, `${reads} reads of names`);
});
