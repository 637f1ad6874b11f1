import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenGit, writtenHg, writtenPlugin } from '../../../test/support/configuration/written-material.ts';
import type { WrittenMaterial } from '../catalogue/configured-types.ts';
import type { Material } from '../catalogue/material.ts';
import { materialsAt, materialsOfScms } from './notified.ts';

const material = (written: WrittenMaterial, url: string): Material => ({
  fingerprint: url,
  type: written.type,
  autoUpdate: false,
  written,
  definition: undefined,
  uses: [],
  configRepos: [],
  toPoll: () => ({ type: written.type, fingerprint: url, url }),
});
const found = (url: string, type: string, ...materials: readonly Material[]) => materialsAt(url, type, materials).length;

test('an address of Mercurial names its branch after one sign, or after two as the API shows it', () => {
  for (const written of ['https://hg.example.org/h1#feat', 'https://hg.example.org/h1##feat']) {
    for (const sent of ['https://hg.example.org/h1#feat', ' https://HG.example.org/h1##feat ', 'https://bob@hg.example.org/h1##feat'])
      assert.equal(found(sent, 'hg', material(writtenHg(written), written)), sent.includes('bob') ? 0 : 1, `${written} ${sent}`);
    for (const sent of ['https://hg.example.org/h1', 'https://hg.example.org/h1##other'])
      assert.equal(found(sent, 'hg', material(writtenHg(written), written)), 0, `${written} ${sent}`);
  }
  assert.equal(
    found('https://git.example.org/a##b', 'git', material(writtenGit('https://git.example.org/a#b'), 'https://git.example.org/a#b')),
    0,
  );
});

test('an SCM is found by its name when it is not polled itself, also where another one that leads to the same speaks for both', () => {
  const written = writtenPlugin('x');
  const scm = (name: string, autoUpdate: boolean) => ({ scm: { name, autoUpdate, pluginMetadata: { id: 'x' }, configuration: [] } });
  const polled = scm('Polled', true);
  const uses = [scm('Hook', false), polled].map((definition, at) => ({ group: 'g', pipeline: `p${at}`, written, definition, order: [at] }));
  const shared: Material = { ...material(written, 'x'), autoUpdate: true, definition: polled, uses };
  assert.deepEqual(materialsOfScms(['hOOK', 'other'], [shared]), [shared]);
  assert.deepEqual(materialsOfScms(['polled'], [shared]), []);
});
