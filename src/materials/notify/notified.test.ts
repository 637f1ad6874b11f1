import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Material } from '../catalogue/material.ts';
import { materialsAt, materialsOfScms } from './notified.ts';

const material = (type: string, url: string): Material => ({
  fingerprint: url,
  type,
  autoUpdate: false,
  written: { type, attributes: { url } },
  definition: undefined,
  uses: [],
  configRepos: [],
  toPoll: () => ({ type: type as 'hg', fingerprint: url, url }),
});
const found = (url: string, type: string, ...materials: readonly Material[]) => materialsAt(url, type, materials).length;

test('an address of Mercurial names its branch after one sign, or after two as the API shows it', () => {
  for (const written of ['https://hg.example.org/h1#feat', 'https://hg.example.org/h1##feat']) {
    for (const sent of ['https://hg.example.org/h1#feat', ' https://HG.example.org/h1##feat ', 'https://bob@hg.example.org/h1##feat'])
      assert.equal(found(sent, 'hg', material('hg', written)), sent.includes('bob') ? 0 : 1, `${written} ${sent}`);
    for (const sent of ['https://hg.example.org/h1', 'https://hg.example.org/h1##other'])
      assert.equal(found(sent, 'hg', material('hg', written)), 0, `${written} ${sent}`);
  }
  assert.equal(found('https://git.example.org/a##b', 'git', material('git', 'https://git.example.org/a#b')), 0);
});

test('an SCM is found by its name when it is not polled itself, also where another one that leads to the same speaks for both', () => {
  const written = { type: 'plugin', attributes: {} };
  const scm = (name: string, autoUpdate: boolean) => ({ scm: { name, autoUpdate, pluginMetadata: { id: 'x' }, configuration: [] } });
  const polled = scm('Polled', true);
  const uses = [scm('Hook', false), polled].map((definition, at) => ({ group: 'g', pipeline: `p${at}`, written, definition, order: [at] }));
  const shared: Material = { ...material('plugin', 'x'), autoUpdate: true, definition: polled, uses };
  assert.deepEqual(materialsOfScms(['hOOK', 'other'], [shared]), [shared]);
  assert.deepEqual(materialsOfScms(['polled'], [shared]), []);
});
