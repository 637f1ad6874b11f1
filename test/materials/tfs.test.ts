// Polling Team Foundation version control through a stand-in for the program tf, which answers in its XML.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import type { TfsMaterial } from '../../src/materials/types/tfs/material.ts';
import { tfsClient } from '../../src/materials/types/tfs/tfs-client.ts';
import { allTextOf, commandLinesDuring, filesHolding, Lab, pollAll } from './support/polling.ts';
import { assertGivenUp, assertMissed } from './support/program-trouble.ts';
import { installStandIn } from './support/stand-in.ts';
import { TF_STAND_IN, type TfState } from './support/tf-stand-in.ts';

const lab = new Lab();
const PASSWORD = 'a "tfs-secret" %1 ü, #x';
const COLLECTION = 'https://tfs.example.org/collection';
const standIn = installStandIn('tf', TF_STAND_IN, lab.newPath('bin'));
after(() => {
  standIn.restore();
  lab.remove();
});

const STATE: TfState = {
  login: `CORP\\bob,${PASSWORD}`,
  collection: COLLECTION,
  changesets: [
    {
      id: 7,
      owner: 'CORP\\ann',
      committer: 'CORP\\build',
      date: '2015-07-01T05:20:05.123+0200',
      comment: 'first <one> & "more"\nwith lines',
      items: [
        { path: '$/app/src/ä b.cs', type: 'add, edit, encoding', text: 'a' },
        { path: '$/app/old.cs', type: 'delete' },
        { path: '$/app/new.cs', type: 'rename, edit', text: 'n' },
        { path: '$/app/back.cs', type: 'undelete', text: 'b' },
        { path: '$/app/locked.cs', type: 'lock' },
      ],
    },
    {
      id: 9,
      owner: 'CORP\\ann',
      committer: 'CORP\\ann',
      date: '2015-07-02T05:20:05.000+0000',
      comment: '',
      items: [{ path: '$/other/x', type: 'add' }],
    },
    ...Array.from({ length: 300 }, (_, index) => ({
      id: 20 + index,
      owner: 'CORP\\ann',
      committer: 'CORP\\ann',
      date: '2015-07-03T05:20:05.000-1130',
      comment: `change ${20 + index}`,
      items: [{ path: '$/app/src/ä b.cs', type: 'edit', text: String(20 + index) }],
    })),
  ],
};
beforeEach(() => {
  standIn.setState(STATE);
  for (const name of ['calls.jsonl', 'workspaces.json']) rmSync(join(standIn.folder, name), { force: true });
});

const material: TfsMaterial = {
  type: 'tfs',
  fingerprint: 'f',
  url: COLLECTION,
  username: 'bob',
  domain: 'CORP',
  password: PASSWORD,
  projectPath: '$/app',
};

test('the first poll gives the newest changeset, later polls all since, oldest first', async () => {
  const [newest, ...others] = await pollAll(tfsClient, material, undefined, lab.context());
  assert.deepEqual(others, []);
  assert.equal(newest!.revision, '319');
  const all = await pollAll(tfsClient, material, '6', lab.context());
  assert.deepEqual(
    all.map(({ revision }) => revision),
    ['7', ...Array.from({ length: 300 }, (_, index) => String(20 + index))],
  );
  assert.deepEqual(all[0], {
    revision: '7',
    userName: 'CORP\\ann',
    email: null,
    comment: 'first <one> & "more"\nwith lines',
    modifiedTime: new Date('2015-07-01T03:20:05.123Z'),
    files: [
      { name: '$/app/src/ä b.cs', action: 'added' },
      { name: '$/app/old.cs', action: 'deleted' },
      { name: '$/app/new.cs', action: 'modified' },
      { name: '$/app/back.cs', action: 'added' },
      { name: '$/app/locked.cs', action: 'unknown' },
    ],
  });
  assert.equal(all[1]!.modifiedTime.toISOString(), '2015-07-03T16:50:05.000Z');
  assert.deepEqual(await pollAll(tfsClient, material, '319', lab.context()), []);
  const [other] = await pollAll(tfsClient, { ...material, projectPath: '$/other' }, undefined, lab.context());
  assert.equal(other!.comment, null);
  await assert.rejects(
    pollAll(tfsClient, { ...material, projectPath: '$/none' }, undefined, lab.context()),
    /There is no changeset in \$\/none/,
  );
});

test('the password is shown nowhere, nor is one in the address', async () => {
  const inUrl = { ...material, url: COLLECTION.replace('://', `://bob:${encodeURIComponent(PASSWORD)}@`), password: null };
  for (const one of [material, inUrl]) {
    const context = lab.context();
    const lines = await commandLinesDuring(async () => {
      await tfsClient.checkConnection(one, context);
      await pollAll(tfsClient, one, undefined, context);
    });
    assert.ok([...lines].some((line) => line.includes('tf.mjs @')));
    assert.deepEqual(
      [...lines].filter((line) => line.includes('tfs-secret')),
      [],
    );
    assert.deepEqual(filesHolding(context.directory, PASSWORD), []);
  }
});

test('a wrong password is reported without repeating it; a password with line breaks is refused', async () => {
  const failure = await pollAll(tfsClient, { ...material, password: 'wr0ng-s3cret' }, undefined, lab.context()).then(
    () => assert.fail('let in'),
    (reason) => reason,
  );
  assert.match(failure.message, /Access denied .* \(authenticating as CORP\\bob\)/);
  assert.doesNotMatch(allTextOf(failure), /wr0ng/);
  await assert.rejects(tfsClient.checkConnection({ ...material, password: 'a\nworkspace' }, lab.context()), /line break/);
  await assert.rejects(tfsClient.checkConnection({ ...material, projectPath: '$/a\nworkspace' }, lab.context()), /line breaks/);
  for (const projectPath of ['-login:eve,x', '/login:eve,x', '@file'])
    await assert.rejects(tfsClient.checkConnection({ ...material, projectPath }, lab.context()), /A project path begins with `\$\/`\./);
});

test('a server that never answers is given up', () => assertGivenUp('tf', tfsClient, material, lab));

test('a missing program is reported', () => assertMissed('tf', tfsClient, material, lab));

test('changesets are checked out, also after a stopped check-out', async () => {
  const into = lab.newPath('into');
  const context = lab.context();
  for (const [revision, text] of [
    ['7', 'a'],
    ['25', '25'],
  ] as const) {
    await tfsClient.checkOut!(material, revision, into, context);
    assert.equal(readFileSync(join(into, 'src', 'ä b.cs'), 'utf8'), text);
  }
  assert.deepEqual(readdirSync(into).toSorted(), ['back.cs', 'new.cs', 'src']);
  assert.deepEqual(JSON.parse(readFileSync(join(standIn.folder, 'workspaces.json'), 'utf8')), {}, 'no workspace is left');
});
