// Reading files of real Subversion repositories, by file and through svnserve with a password.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { CommandStopped } from '../../../src/kit/process/command.ts';
import { openFiles, openRequestedFiles } from '../../../src/materials/files/open-files.ts';
import type { SvnMaterial } from '../../../src/materials/types/svn/material.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { commandLinesDuring, Lab } from '../support/polling.ts';
import { requirePassword, SvnOrigin, type SvnServer, startSvnserve } from '../support/svn-origin.ts';
import { Counted, pathsOf, readChanges, readOpened, textsOf, yamlFiles } from './support.ts';

const lab = new Lab();
const root = lab.newPath('served');
let server: SvnServer;
before(async () => {
  await ensureDebianPackages(['subversion']);
  mkdirSync(root);
  server = await startSvnserve(root);
});
after(async () => {
  await server.stop();
  lab.remove();
});

const materialOf = (url: string, more: Partial<SvnMaterial> = {}): SvnMaterial => ({
  type: 'svn',
  fingerprint: 'f',
  url,
  checkExternals: false,
  ...more,
});

/** A repository with a checkout of its trunk. */
class Worked {
  readonly origin: SvnOrigin;
  readonly path: string;
  readonly url: string;
  #revision = 1;

  private constructor(origin: SvnOrigin, path: string, trunk: string) {
    this.origin = origin;
    this.path = path;
    this.url = `${origin.url}/${encodeURIComponent(trunk)}`;
  }

  static async make(at = lab.newPath('repository'), trunk = 'trunk'): Promise<Worked> {
    const origin = await SvnOrigin.make(at);
    origin.load([{ message: 'start', added: { [trunk]: null } }]);
    const worked = new Worked(origin, lab.newPath('checkout'), trunk);
    await origin.svn(lab.directory, 'checkout', '--quiet', `${worked.url}@`, worked.path);
    return worked;
  }

  svn(...args: readonly string[]): Promise<string> {
    return this.origin.svn(this.path, ...args);
  }

  async commit(files: Readonly<Record<string, string>> = {}): Promise<string> {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
    await this.svn('add', '--quiet', '--force', '.');
    await this.svn('commit', '--quiet', '-m', 'x');
    await this.svn('update', '--quiet');
    return String(++this.#revision);
  }
}

test('all chosen files are read first, then the difference, with names of every kind', async () => {
  const repo = await Worked.make(lab.newPath('repository'), 'trunk@1 ü %41');
  const context = lab.context();
  const material = materialOf(repo.url);
  const one = await repo.commit({
    'a.yaml': 'a',
    'ci/b c@2.yaml': 'bc',
    'ci/ü 日本 %20.yaml': 'ü',
    'ci/a&b<c>#?.yaml': 'odd',
    'old.yaml': 'o',
    'gone/g.yaml': 'g',
    'x.md': 'x',
    'mode.yaml': 'm',
  });
  const first = await readChanges(material, one, context);
  assert.equal(first.isComplete, true);
  assert.deepEqual(first.texts, {
    'a.yaml': 'a',
    'ci/a&b<c>#?.yaml': 'odd',
    'ci/b c@2.yaml': 'bc',
    'ci/ü 日本 %20.yaml': 'ü',
    'gone/g.yaml': 'g',
    'mode.yaml': 'm',
    'old.yaml': 'o',
  });
  await repo.svn('rename', '--quiet', 'old.yaml', 'new.yaml');
  await repo.svn('delete', '--quiet', 'gone');
  await repo.svn('copy', '--quiet', 'ci', 'copied');
  chmodSync(join(repo.path, 'mode.yaml'), 0o755);
  await repo.svn('propset', '--quiet', 'svn:executable', '*', 'mode.yaml');
  const two = await repo.commit({ 'a.yaml': 'A', 'x.md': 'X', 'ci/b c@2.yaml': 'BC' });
  const second = await readChanges(material, two, context, first.cursor);
  assert.equal(second.isComplete, false);
  assert.deepEqual(second.texts, {
    'a.yaml': 'A',
    'ci/b c@2.yaml': 'BC',
    'copied/a&b<c>#?.yaml': 'odd',
    'copied/b c@2.yaml': 'bc',
    'copied/ü 日本 %20.yaml': 'ü',
    'mode.yaml': 'm',
    'new.yaml': 'o',
  });
  assert.deepEqual(second.removed.toSorted(), ['gone/g.yaml', 'old.yaml']);
  const third = await readChanges(material, two, context, second.cursor);
  assert.deepEqual([third.isComplete, third.changed], [false, []]);
  assert.deepEqual(readdirSync(context.directory), [], 'nothing is kept');
});

test('folders that are replaced by others of the same revision have other content', async () => {
  const repo = await Worked.make();
  const material = materialOf(repo.url);
  const first = await readChanges(material, await repo.commit({ 'one/a.yaml': '1', 'two/a.yaml': '2', 'f.yaml': 'file' }), lab.context());
  await repo.svn('delete', '--quiet', 'one', 'f.yaml');
  await repo.svn('commit', '--quiet', '-m', 'away');
  await repo.svn('copy', '--quiet', 'two', 'one');
  await repo.svn('commit', '--quiet', '-m', 'back');
  await repo.svn('update', '--quiet');
  const second = await readChanges(material, '4', lab.context(), first.cursor);
  assert.deepEqual([second.texts, second.removed], [{ 'one/a.yaml': '2' }, ['f.yaml']]);
});

test('one changed file of a thousand is read through svnserve, with a password that stays hidden', async (t) => {
  // Loaded, not committed: a checkout of a thousand files takes most of a test's time.
  const origin = await SvnOrigin.make(join(root, 'private'));
  const folders = ['trunk', ...Array.from({ length: 7 }, (_, index) => `trunk/d${index}`)];
  const paths = Array.from({ length: 1000 }, (_, index) => `trunk/d${index % 7}/f${index}.yaml`);
  const added = Object.fromEntries([
    ...folders.map((path) => [path, null] as const),
    ...paths.map((path, index) => [path, `${index}`] as const),
  ]);
  origin.load([{ message: 'all', added }]);
  const password = 'hunter2 %41ü';
  requirePassword(origin, 'bob', password);
  const material = materialOf(`${server.url}/private/trunk`, { username: 'bob', password });
  const context = lab.context();
  const calls = await Counted.install('svn', lab.newPath('bin'));
  t.after(() => calls.restore());
  const taken = () => calls.take().map((line) => line.split(' ', 1)[0]);
  const lines = await commandLinesDuring(async () => {
    const first = await readChanges(material, '1', context);
    assert.equal(Object.keys(first.texts).length, 1000);
    assert.equal(first.texts['d6/f6.yaml'], '6');
    assert.deepEqual(taken(), ['propget', 'list', 'cat', 'cat', 'cat', 'cat', 'cat']);
    origin.load([{ message: 'one', changed: { 'trunk/d0/f0.yaml': 'changed' } }], 2);
    const second = await readChanges(material, '2', context, first.cursor);
    assert.deepEqual(second.texts, { 'd0/f0.yaml': 'changed' });
    assert.deepEqual(taken(), ['diff', 'info', 'cat']);
  });
  assert.ok(![...lines].some((line) => line.includes('hunter2')));
});

test('symbolic links are followed, also those that are added later', async () => {
  const repo = await Worked.make();
  const material = materialOf(`${repo.url}/`);
  const context = lab.context();
  const plain = await readChanges(material, await repo.commit({ 'a.yaml': 'a', 'ci/b.yaml': 'b' }), context);
  symlinkSync('a.yaml', join(repo.path, 'inside.yaml'));
  symlinkSync('../../etc/passwd', join(repo.path, 'outside.yaml'));
  symlinkSync('circle.yaml', join(repo.path, 'circle.yaml'));
  symlinkSync('ci', join(repo.path, 'folder'));
  const first = await readChanges(material, await repo.commit(), context, plain.cursor);
  assert.equal(first.isComplete, true);
  assert.deepEqual(first.texts, { 'a.yaml': 'a', 'ci/b.yaml': 'b', 'folder/b.yaml': 'b', 'inside.yaml': 'a' });
  assert.deepEqual(first.problems.map(({ message }) => message).toSorted(), [
    'circle.yaml is a symbolic link that leads back to itself.',
    'outside.yaml is a symbolic link that leads out of the repository.',
  ]);
  const second = await readChanges(material, await repo.commit({ 'a.yaml': 'A' }), context, first.cursor);
  assert.deepEqual([second.isComplete, second.texts['inside.yaml']], [true, 'A']);
});

test('line ends and keywords are read as they are stored, also if they do not fit', async () => {
  const repo = await Worked.make();
  await repo.commit({ 'crlf.yaml': 'a\r\nb\r\n', 'keyword.yaml': '$Id$\n', 'z.yaml': 'z' });
  await repo.svn('propset', '--quiet', 'svn:keywords', 'Id', 'keyword.yaml');
  await repo.svn('propset', '--quiet', 'svn:eol-style', 'CRLF', 'crlf.yaml');
  const tip = await repo.commit();
  const material = materialOf(repo.url);
  assert.deepEqual((await readChanges(material, tip, lab.context())).texts, {
    'crlf.yaml': 'a\r\nb\r\n',
    'keyword.yaml': '$Id$\n',
    'z.yaml': 'z',
  });
  const properties = 'K 13\nsvn:eol-style\nV 4\nCRLF\nPROPS-END\n';
  const misfit = await SvnOrigin.make(lab.newPath('misfit'));
  misfit.load([{ message: 'start', added: { 'a.yaml': 'a', 'z.yaml': 'z' } }]);
  misfit.loadDump(
    `SVN-fs-dump-format-version: 2\n\nRevision-number: 2\nProp-content-length: 10\nContent-length: 10\n\nPROPS-END\n\nNode-path: misfit.yaml\nNode-kind: file\nNode-action: add\nProp-content-length: ${properties.length}\nText-content-length: 4\nContent-length: ${properties.length + 4}\n\n${properties}x\ny\n\n\n`,
  );
  assert.deepEqual((await readChanges(materialOf(misfit.url), '2', lab.context())).texts, {
    'a.yaml': 'a',
    'misfit.yaml': 'x\r\ny\r\n',
    'z.yaml': 'z',
  });
});

test('reading is limited in size and time and can be aborted, and invalid revisions are refused', async () => {
  const repo = await Worked.make();
  const material = materialOf(repo.url);
  const context = lab.context();
  const tip = await repo.commit({ 'a.yaml': 'a', 'large.yaml': 'x'.repeat(6 * 1024 * 1024) });
  assert.deepEqual((await readChanges(material, tip, context)).texts, {
    'a.yaml': 'a',
    'large.yaml': '! large.yaml has 6 MB; at most 2 MB of a file are read.',
  });
  const stopped = new AbortController();
  stopped.abort();
  await assert.rejects(readChanges(material, tip, { ...context, signal: stopped.signal }), CommandStopped);
  await assert.rejects(readChanges(material, 'HEAD', context), /HEAD is no revision of a Subversion repository/);
  await assert.rejects(readChanges(material, '99', context), /No such revision 99/);
  for (const unknown of ['99', 'HEAD']) assert.equal((await readChanges(material, tip, context, unknown)).isComplete, true);
  assert.deepEqual(pathsOf((await readOpened(await openRequestedFiles(material, '1', context))).changed), []);
});

test('a requested file that is gone is reported', async () => {
  const repo = await Worked.make();
  const files = await openFiles(materialOf(repo.url), await repo.commit({ 'a.yaml': 'a' }), lab.context());
  const { changed } = await files.changes(undefined, yamlFiles);
  rmSync(join(repo.path, 'a.yaml'));
  assert.deepEqual(await textsOf(files, changed), { 'a.yaml': 'a' }, 'a revision stays what it is');
  await assert.rejects(textsOf(files, [{ path: 'b.yaml', id: '2', from: 'b.yaml' }]));
});
