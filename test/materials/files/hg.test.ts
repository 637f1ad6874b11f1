// Reading files of real Mercurial repositories from the mirror.
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CommandStopped } from '../../../src/kit/process/command.ts';
import { openFiles, openRequestedFiles } from '../../../src/materials/files/open-files.ts';
import { hgClient } from '../../../src/materials/types/hg/hg-client.ts';
import type { HgMaterial } from '../../../src/materials/types/hg/material.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { HgOrigin } from '../support/hg-origin.ts';
import { Lab, pollAll } from '../support/polling.ts';
import { QuickHg } from '../support/quick-hg.ts';
import { Counted, idsOf, readChanges, readOpened, textsOf, yamlFiles } from './support.ts';

const lab = new Lab();
let quickHg: QuickHg;
before(async () => {
  await ensureDebianPackages(['mercurial']);
  quickHg = await QuickHg.install(lab.newPath('bin'));
});
after(() => {
  quickHg.remove();
  lab.remove();
});

const materialOf = (url: string): HgMaterial => ({ type: 'hg', fingerprint: 'f', url });
const newOrigin = () => HgOrigin.make(lab.newPath('origin'));

test('all chosen files are read, with ids that change with the content alone', async () => {
  const origin = await newOrigin();
  const context = lab.context();
  const material = materialOf(origin.path);
  const bytes = Buffer.from([0xff, 0, 0x0a, 0xc3]);
  writeFileSync(join(origin.path, 'bytes.yaml'), bytes);
  const one = await origin.commit('one', {
    'a.yaml': 'a',
    'ci/b c.yaml': 'bc',
    'ci/ü 日本.yaml': 'ü',
    'old.yaml': 'o',
    'gone.yaml': 'g',
    'x.md': 'x',
    'mode.yaml': 'm',
  });
  await pollAll(hgClient, material, undefined, context);
  const first = await readChanges(material, one, context);
  assert.deepEqual(Object.keys(first.texts), [
    'a.yaml',
    'bytes.yaml',
    'ci/b c.yaml',
    'ci/ü 日本.yaml',
    'gone.yaml',
    'mode.yaml',
    'old.yaml',
  ]);
  assert.deepEqual([first.texts['ci/b c.yaml'], first.texts['ci/ü 日本.yaml'], first.problems], ['bc', 'ü', []]);
  const files = await openFiles(material, one, context);
  const { changed } = await files.changes(undefined, (paths) => paths.filter((path) => path === 'bytes.yaml'));
  for await (const file of files.read(changed)) assert.deepEqual('bytes' in file && Buffer.from(file.bytes), bytes);
  await origin.hg('rename', 'old.yaml', 'new.yaml');
  await origin.hg('remove', 'gone.yaml');
  chmodSync(join(origin.path, 'mode.yaml'), 0o755);
  const two = await origin.commit('two', { 'a.yaml': 'A' });
  const second = await readChanges(material, two, context, first.cursor);
  assert.equal(second.isComplete, true);
  assert.deepEqual(Object.keys(second.texts), ['a.yaml', 'bytes.yaml', 'ci/b c.yaml', 'ci/ü 日本.yaml', 'mode.yaml', 'new.yaml']);
  const different = Object.entries(idsOf(second)).filter(([path, id]) => idsOf(first)[path] !== id);
  assert.deepEqual(different.map(([path]) => path).toSorted(), ['a.yaml', 'new.yaml'], 'a new mode is no change');
  assert.deepEqual((await readChanges(material, one, context)).texts, first.texts, 'an older one can be opened, too');
  assert.deepEqual(readdirSync(context.directory), ['mirror.hg'], 'nothing is left, and nothing was checked out');
});

test('one changed file of a thousand takes one process to list and one to read', async (t) => {
  const origin = await newOrigin();
  const material = materialOf(origin.path);
  const context = lab.context();
  await origin.commit('all', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`d${index % 7}/f${index}.yaml`, `${index}`])));
  await pollAll(hgClient, material, undefined, context);
  const first = await readChanges(material, await origin.tip(), context);
  const next = await origin.commit('one', { 'd0/f0.yaml': 'changed' });
  await pollAll(hgClient, material, undefined, context);
  const calls = await Counted.install('hg', lab.newPath('bin'));
  t.after(() => calls.restore());
  const files = await openFiles(material, next, context);
  const { changed } = await files.changes(first.cursor, yamlFiles);
  const fresh = changed.filter(({ path, id }) => idsOf(first)[path] !== id);
  assert.deepEqual(await textsOf(files, fresh), { 'd0/f0.yaml': 'changed' });
  assert.deepEqual(
    calls.take().map((line) => / (manifest|cat|log|pull|identify) /.exec(line)?.[1]),
    ['manifest', 'cat'],
  );
});

test('symbolic links are followed inside the repository only', async () => {
  const origin = await newOrigin();
  symlinkSync('a.yaml', join(origin.path, 'inside.yaml'));
  symlinkSync('/etc/passwd', join(origin.path, 'outside.yaml'));
  symlinkSync('circle.yaml', join(origin.path, 'circle.yaml'));
  symlinkSync('ci', join(origin.path, 'folder'));
  const tip = await origin.commit('one', { 'a.yaml': 'a', 'ci/b.yaml': 'b' });
  const { texts, problems } = await readChanges(materialOf(origin.path), tip, lab.context());
  assert.deepEqual(texts, { 'a.yaml': 'a', 'ci/b.yaml': 'b', 'folder/b.yaml': 'b', 'inside.yaml': 'a' });
  assert.deepEqual(problems.map(({ message }) => message).toSorted(), [
    'circle.yaml is a symbolic link that leads back to itself.',
    'outside.yaml is a symbolic link that leads out of the repository.',
  ]);
});

test('reading is limited in size and time, and can be aborted', async (t) => {
  quickHg.leaveOut(t);
  const origin = await newOrigin();
  const tip = await origin.commit('one', { 'a.yaml': 'a', 'large.yaml': 'x'.repeat(6 * 1024 * 1024), 'z.yaml': 'z' });
  const material = materialOf(origin.path);
  const context = lab.context();
  assert.deepEqual((await readChanges(material, tip, context)).texts, {
    'a.yaml': 'a',
    'large.yaml': '! large.yaml has 6 MB; at most 2 MB of a file are read.',
    'z.yaml': 'z',
  });
  const stopped = new AbortController();
  stopped.abort();
  await assert.rejects(readChanges(material, tip, { ...context, signal: stopped.signal }), CommandStopped);
  await assert.rejects(readChanges(material, tip, { ...context, limits: { timeoutMs: 5, maxBytes: 1e9 } }), CommandStopped);
});

test('a copy that is missing, behind or damaged is made right, and invalid revisions are refused', async () => {
  const origin = await newOrigin();
  const material = materialOf(origin.path);
  const context = lab.context();
  for (const text of ['one', 'two']) {
    const tip = await origin.commit(text, { 'a.yaml': text });
    assert.deepEqual((await readChanges(material, tip, context)).texts, { 'a.yaml': text });
  }
  rmSync(join(context.directory, 'mirror.hg', '.hg', 'store', '00manifest.i'));
  const tip = await origin.tip();
  assert.deepEqual((await readChanges(material, tip, context)).texts, { 'a.yaml': 'two' });
  await assert.rejects(readChanges(material, 'd'.repeat(40), context), /is not in the repository any more/);
  await assert.rejects(readChanges(material, 'tip', context), /tip is no revision of a Mercurial repository/);
  assert.deepEqual((await readOpened(await openRequestedFiles(material, tip, context))).texts, { 'a.yaml': 'two' });
});

test('requested branches and changesets are read, with and without a mirror, which stays unchanged', async () => {
  const origin = await newOrigin();
  const base = await origin.commit('base', { 'a.yaml': 'a' });
  await origin.hg('branch', 'feature x');
  const feature = await origin.commit('feature', { 'a.yaml': 'A', 'b.yaml': 'b' });
  await origin.hg('update', '--quiet', 'default');
  const tip = await origin.commit('tip', { 'c.yaml': 'c' });
  await origin.hg('tag', '--local', 'a-tag');
  await origin.hg('bookmark', '--inactive', 'a-bookmark');
  // It leads elsewhere than the branch of this name.
  await origin.hg('bookmark', '--inactive', '--force', '--rev', feature, 'default');
  const material = materialOf(origin.path);
  const context = lab.context();
  for (const hasMirror of [false, true]) {
    if (hasMirror) await pollAll(hgClient, material, undefined, context);
    for (const asked of ['feature x', feature]) {
      const files = await openRequestedFiles(material, asked, context);
      assert.equal(files.revision, feature, asked);
      assert.deepEqual((await readOpened(files)).texts, { 'a.yaml': 'A', 'b.yaml': 'b' }, asked);
    }
    assert.deepEqual((await readOpened(await openRequestedFiles(material, base, context))).texts, { 'a.yaml': 'a' });
    const whole = await openRequestedFiles(material, 'default', context);
    assert.equal(whole.revision, tip);
    await whole.close();
    assert.deepEqual(readdirSync(context.directory), hasMirror ? ['mirror.hg'] : [], 'nothing is left');
  }
  for (const [asked, message] of [
    ['gone', /The branch gone could not be found/],
    ['e'.repeat(40), /The changeset e+ is not in the repository/],
    ['--config=x', /is neither the name of a branch nor a whole changeset id/],
    // Words that hg would take for a changeset, or for a query that leads to one.
    ...['0', '-1', 'all()', 'reverse(all())', 'default^', 'tip', 'a-tag', 'a-bookmark', feature.slice(0, 8)].map(
      (word) => [word, /could not be found|is neither the name of a branch/] as const,
    ),
  ] as const)
    await assert.rejects(openRequestedFiles(material, asked, context), message);
  assert.deepEqual(readdirSync(context.directory), ['mirror.hg']);
});
