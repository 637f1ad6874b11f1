// Reading files of Team Foundation version control through a stand-in for the program tf.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openFiles } from '../../../src/materials/files/open-files.ts';
import type { TfsMaterial } from '../../../src/materials/types/tfs/material.ts';
import { Lab } from '../support/polling.ts';
import { installStandIn } from '../support/stand-in.ts';
import { TF_STAND_IN, type TfState } from '../support/tf-stand-in.ts';
import { idsOf, readChanges, yamlFiles } from './support.ts';

const lab = new Lab();
const COLLECTION = 'https://tfs.example.org/collection';
const standIn = installStandIn('tf', TF_STAND_IN, lab.newPath('bin'));
after(() => {
  standIn.restore();
  lab.remove();
});

const changeset = (id: number, files: Readonly<Record<string, string>>) => ({
  id,
  owner: 'ann',
  committer: 'ann',
  date: '2015-07-01T05:20:05.123+0200',
  comment: 'x',
  items: Object.entries(files).map(([path, text]) => ({ path: `$/app/${path}`, type: 'add', text })),
});
const STATE: TfState = {
  login: 'bob,hunter2',
  collection: COLLECTION,
  changesets: [
    changeset(7, { 'a.yaml': 'a', 'ci/ü b.yaml': 'b', 'x.cs': 'x', '.tf/own.yaml': 'of the program' }),
    changeset(9, { 'a.yaml': 'A', 'large.yaml': 'x'.repeat(6 * 1024 * 1024) }),
  ],
};
beforeEach(() => {
  standIn.setState(STATE);
  rmSync(join(standIn.folder, 'workspaces.json'), { force: true });
});
const material: TfsMaterial = {
  type: 'tfs',
  fingerprint: 'f',
  url: COLLECTION,
  username: 'bob',
  password: 'hunter2',
  projectPath: '$/app',
};

test('all chosen files are read every time, with ids of their content', async () => {
  const context = lab.context();
  const first = await readChanges(material, '7', context);
  assert.deepEqual([first.isComplete, first.texts], [true, { 'a.yaml': 'a', 'ci/ü b.yaml': 'b' }]);
  const second = await readChanges(material, '9', context, first.cursor);
  assert.equal(second.isComplete, true);
  assert.deepEqual(second.texts, {
    'a.yaml': 'A',
    'ci/ü b.yaml': 'b',
    'large.yaml': '! large.yaml has 6 MB; at most 2 MB of a file are read.',
  });
  assert.equal(idsOf(second)['ci/ü b.yaml'], idsOf(first)['ci/ü b.yaml']);
  assert.notEqual(idsOf(second)['a.yaml'], idsOf(first)['a.yaml']);
  const third = await readChanges(material, '9', context, second.cursor);
  assert.deepEqual([third.isComplete, third.changed], [false, []], 'nothing is asked for the same changeset');
  assert.deepEqual(readdirSync(context.directory), [], 'nothing is left');
  assert.deepEqual(JSON.parse(readFileSync(join(standIn.folder, 'workspaces.json'), 'utf8')), {});
});

test('files that are closed without being read leave nothing, nor does a failure', async () => {
  const context = lab.context();
  const files = await openFiles(material, '7', context);
  await files.changes(undefined, yamlFiles);
  await files.close();
  await assert.rejects(readChanges({ ...material, password: 'wr0ng' }, '7', context), /Access denied/);
  await assert.rejects(readChanges(material, '7', { ...context, limits: { timeoutMs: 30_000, maxBytes: 1 } }), /too large/);
  await assert.rejects(readChanges(material, 'T', context), /T is no changeset/);
  assert.deepEqual(readdirSync(context.directory), []);
});
