// Reading files of Perforce through a stand-in for its program, which answers in the documented form.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openFiles } from '../../../src/materials/files/open-files.ts';
import type { P4Material } from '../../../src/materials/types/p4/material.ts';
import { P4_STAND_IN, type P4Change, type P4File, type P4State } from '../support/p4-stand-in.ts';
import { commandLinesDuring, Lab } from '../support/polling.ts';
import { installStandIn } from '../support/stand-in.ts';
import { idsOf, readChanges } from './support.ts';

const lab = new Lab();
const PASSWORD = "hunter2 ü'$(x)";
const standIn = installStandIn('p4', P4_STAND_IN, lab.newPath('bin'));
after(() => {
  standIn.restore();
  lab.remove();
});

const change = (number: number, files: readonly P4File[]): P4Change => ({
  change: number,
  time: 1_700_000_000,
  user: 'ann',
  client: 'desk',
  desc: 'x',
  files,
});
const BYTES = Buffer.concat([Buffer.from('ü日'.repeat(4000)), Buffer.from([0xff, 0, 0x0a])]);
const CHANGES = [
  change(10, [
    { path: '//depot/app/a.yaml', action: 'add', text: 'a' },
    { path: '//depot/app/ci/b c.yaml', action: 'add', text: 'bc' },
    { path: '//depot/app/ci/%40at %23hash %2Astar %25percent ü.yaml', action: 'add', text: 'odd' },
    { path: '//depot/app/bytes.yaml', action: 'add', base64: BYTES.toString('base64') },
    { path: '//depot/app/gone.yaml', action: 'add', text: 'g' },
    { path: '//depot/app/old.yaml', action: 'add', text: 'o' },
    { path: '//depot/other/x.yaml', action: 'add', text: 'not in the view' },
  ]),
  change(12, [{ path: '//depot/other/x.yaml', action: 'edit', text: 'y' }]),
  change(15, [
    { path: '//depot/app/a.yaml', action: 'edit', text: 'A' },
    { path: '//depot/app/gone.yaml', action: 'delete' },
    { path: '//depot/app/old.yaml', action: 'move/delete' },
    { path: '//depot/app/new.yaml', action: 'move/add', text: 'o' },
    { path: '//depot/app/empty.yaml', action: 'add', text: '' },
  ]),
  change(20, [
    { path: '//depot/app/link.yaml', action: 'add', text: 'a.yaml\n', type: 'symlink' },
    { path: '//depot/app/out.yaml', action: 'add', text: '../../x', type: 'symlink' },
  ]),
];
const setState = (more: Partial<P4State> = {}) =>
  standIn.setState({ user: 'bob', password: PASSWORD, security: 'password', changes: CHANGES, ...more } satisfies P4State);
beforeEach(() => {
  setState();
  for (const name of ['calls.jsonl', 'clients.json']) rmSync(join(standIn.folder, name), { force: true });
});
const commandsRun = () =>
  readFileSync(join(standIn.folder, 'calls.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { args: string[] }).args.find((word) => /^[a-z]/.test(word)));

const material: P4Material = {
  type: 'p4',
  fingerprint: 'f',
  port: 'p4.example.org:1666',
  view: '//depot/app/... //something/...',
  username: 'bob',
  password: PASSWORD,
  useTickets: false,
};

test('all chosen files of the view are read first, then the difference', async () => {
  const context = lab.context();
  const first = await readChanges(material, '10', context);
  assert.equal(first.isComplete, true);
  assert.deepEqual(Object.keys(first.texts), [
    'a.yaml',
    'bytes.yaml',
    'ci/@at #hash *star %percent ü.yaml',
    'ci/b c.yaml',
    'gone.yaml',
    'old.yaml',
  ]);
  assert.deepEqual([first.texts['a.yaml'], first.texts['ci/@at #hash *star %percent ü.yaml']], ['a', 'odd']);
  const second = await readChanges(material, '15', context, first.cursor);
  assert.equal(second.isComplete, false);
  assert.deepEqual(second.texts, { 'a.yaml': 'A', 'empty.yaml': '', 'new.yaml': 'o' });
  assert.deepEqual(second.removed.toSorted(), ['gone.yaml', 'old.yaml']);
  assert.deepEqual(commandsRun().slice(-2), ['fstat', 'print']);
  const whole = await readChanges(material, '15', context);
  assert.equal(idsOf(whole)['ci/b c.yaml'], idsOf(first)['ci/b c.yaml']);
  assert.notEqual(idsOf(whole)['a.yaml'], idsOf(first)['a.yaml']);
  assert.equal((await readChanges(material, '10', context, '15')).isComplete, true, 'back in time');
  assert.deepEqual((await readChanges(material, '10', context)).texts['a.yaml'], 'a', 'as it was then');
});

test('bytes are read unchanged, in however many pieces they come', async () => {
  const files = await openFiles(material, '10', lab.context());
  const { changed } = await files.changes(undefined, (paths) => paths.filter((path) => path === 'bytes.yaml'));
  for await (const file of files.read(changed)) assert.ok('bytes' in file && BYTES.equals(file.bytes));
  assert.equal(changed.length, 1);
});

test('symbolic links are followed inside the view only', async () => {
  const context = lab.context();
  const before = await readChanges(material, '15', context);
  const { isComplete, texts, problems } = await readChanges(material, '20', context, before.cursor);
  assert.equal(isComplete, true);
  assert.equal(texts['link.yaml'], 'A');
  assert.deepEqual(problems, [{ path: 'out.yaml', message: 'out.yaml is a symbolic link that leads out of the repository.' }]);
});

test('one changed file of a thousand is read alone, one too large is a problem, and no file is fine', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ path: `//depot/app/f${index}.yaml`, action: 'add', text: `${index}` }));
  const large = { path: '//depot/app/large.yaml', action: 'add', text: 'x'.repeat(5 * 1024 * 1024 + 1) };
  setState({ changes: [change(1, many), change(2, [{ ...many[0]!, action: 'edit', text: 'changed' }]), change(3, [large])] });
  const context = lab.context();
  const first = await readChanges(material, '1', context);
  assert.equal(Object.keys(first.texts).length, 1000);
  assert.deepEqual(commandsRun(), ['fstat', 'client', 'fstat', 'print']);
  const second = await readChanges(material, '2', context, first.cursor);
  assert.deepEqual(second.texts, { 'f0.yaml': 'changed' });
  assert.deepEqual(commandsRun().slice(4), ['fstat', 'print']);
  assert.deepEqual((await readChanges(material, '3', context, second.cursor)).texts, {
    'large.yaml': '! large.yaml has 5.1 MB; at most 2 MB of a file are read.',
  });
  const empty = await readChanges({ ...material, view: '//depot/none/... //c/...' }, '3', lab.context());
  assert.deepEqual([empty.isComplete, empty.changed], [true, []]);
});

test('the password is shown nowhere, and an invalid revision is refused', async () => {
  for (const security of ['password', 'ticket'] as const) {
    setState({ security });
    const lines = await commandLinesDuring(() => readChanges({ ...material, useTickets: security === 'ticket' }, '15', lab.context()));
    assert.ok(
      [...lines].some((line) => line.includes('p4')),
      'a command was seen',
    );
    // The watch takes samples: that this one was among the commands is recorded by the stand-in itself.
    assert.equal(commandsRun().at(-1), 'print');
    assert.ok(!readFileSync(join(standIn.folder, 'calls.jsonl'), 'utf8').includes('hunter2'));
    assert.ok(![...lines].some((line) => line.includes('hunter2')));
  }
  await assert.rejects(readChanges(material, '#head', lab.context()), /#head is no change of a Perforce depot/);
  await assert.rejects(readChanges({ ...material, password: 'wr0ng' }, '15', lab.context()), /invalid or unset/);
});
