// Reading files of real git repositories from the bare mirror.
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CommandStopped } from '../../../src/kit/process/command.ts';
import type { PollContext } from '../../../src/materials/clients/client.ts';
import { openFiles } from '../../../src/materials/files/open-files.ts';
import { gitClient } from '../../../src/materials/types/git/git-client.ts';
import type { GitMaterial } from '../../../src/materials/types/git/material.ts';
import { ensureDebianPackages } from '../../support/services/debian.ts';
import { GitOrigin } from '../support/git-origin.ts';
import { Lab, pollAll } from '../support/polling.ts';
import { Counted, idsOf, pathsOf, readChanges, textsOf } from './support.ts';

const lab = new Lab();
before(() => ensureDebianPackages(['git']));
after(() => lab.remove());

const materialOf = (url: string): GitMaterial => ({ type: 'git', fingerprint: 'f', url, branch: 'main' });

class Followed {
  readonly origin: GitOrigin;
  readonly material: GitMaterial;
  readonly context: PollContext = lab.context();

  constructor(origin: GitOrigin) {
    this.origin = origin;
    this.material = materialOf(origin.path);
  }

  static async make(): Promise<Followed> {
    return new Followed(await GitOrigin.make(lab.newPath('origin')));
  }

  /** Polls, as always happens before files are read. */
  async readChanges(since?: string) {
    await pollAll(gitClient, this.material, undefined, this.context);
    return readChanges(this.material, await this.origin.tip(), this.context, since);
  }
}

describe('changed files', () => {
  test('all chosen files are read first, then the difference, with names of every kind', async () => {
    const repo = await Followed.make();
    const { origin } = repo;
    await origin.commit('one', {
      'a.yaml': 'a',
      'ci/b c.yaml': 'bc',
      'ci/ü 日本.yaml': 'ü',
      '.hidden/"quoted".yaml': 'q',
      'ci/old.yaml': 'old content that stays the same',
      'gone.yaml': 'g',
      'README.md': 'r',
    });
    const first = await repo.readChanges();
    assert.equal(first.isComplete, true);
    assert.deepEqual(first.texts, {
      '.hidden/"quoted".yaml': 'q',
      'a.yaml': 'a',
      'ci/b c.yaml': 'bc',
      'ci/old.yaml': 'old content that stays the same',
      'ci/ü 日本.yaml': 'ü',
      'gone.yaml': 'g',
    });
    assert.deepEqual([first.removed, first.problems, first.notes], [[], [], []]);
    await origin.run('mv', 'ci/old.yaml', 'ci/new.yaml');
    await origin.run('rm', '--quiet', 'gone.yaml');
    chmodSync(join(origin.path, 'ci', 'b c.yaml'), 0o755);
    await origin.commit('two', { 'a.yaml': 'A', 'README.md': 'R', 'ci/added.yaml': 'n' });
    const second = await repo.readChanges(first.cursor);
    assert.equal(second.isComplete, false);
    assert.deepEqual(second.texts, { 'a.yaml': 'A', 'ci/added.yaml': 'n', 'ci/new.yaml': 'old content that stays the same' });
    assert.deepEqual(second.removed.toSorted(), ['ci/old.yaml', 'gone.yaml'], 'a new mode is no change');
    assert.equal(idsOf(second)['ci/new.yaml'], idsOf(first)['ci/old.yaml'], 'the id is that of the content');
    const third = await repo.readChanges(second.cursor);
    assert.deepEqual([third.isComplete, third.changed, third.removed], [false, [], []]);
    const whole = await repo.readChanges();
    assert.deepEqual(pathsOf(whole.changed), [
      '.hidden/"quoted".yaml',
      'a.yaml',
      'ci/added.yaml',
      'ci/b c.yaml',
      'ci/new.yaml',
      'ci/ü 日本.yaml',
    ]);
    assert.deepEqual(readdirSync(repo.context.directory), ['mirror.git'], 'nothing is checked out');
  });

  test('a branch that was pushed anew gives the difference while the old commit exists, else all files', async () => {
    const repo = await Followed.make();
    const base = await repo.origin.commit('one', { 'a.yaml': 'a', 'b.yaml': 'b' });
    await repo.origin.commit('two', { 'a.yaml': 'lost', 'c.yaml': 'c' });
    const first = await repo.readChanges();
    await repo.origin.run('reset', '--quiet', '--hard', base);
    await repo.origin.commit('other', { 'b.yaml': 'B' });
    const second = await repo.readChanges(first.cursor);
    assert.equal(second.isComplete, false);
    assert.deepEqual([second.texts, second.removed], [{ 'a.yaml': 'a', 'b.yaml': 'B' }, ['c.yaml']]);
    for (const unknown of ['d'.repeat(40), '--output=x', 'main', '']) {
      const all = await repo.readChanges(unknown);
      assert.equal(all.isComplete, true, unknown);
      assert.deepEqual(all.texts, { 'a.yaml': 'a', 'b.yaml': 'B' });
    }
  });

  test('one file of a thousand costs as much as one file of ten', async (t) => {
    const calls = await Counted.install('git', lab.newPath('bin'));
    t.after(() => calls.restore());
    const spent: string[][] = [];
    for (const count of [10, 1000]) {
      const repo = await Followed.make();
      await repo.origin.commit(
        'all',
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index % 7}/f${index}.yaml`, `${index}`])),
      );
      calls.take();
      const { cursor } = await repo.readChanges();
      assert.ok(calls.take().length <= 5, 'not a process for each file');
      const tip = await repo.origin.commit('one', { 'd0/f0.yaml': 'changed' });
      await pollAll(gitClient, repo.material, cursor, repo.context);
      calls.take();
      const { texts } = await readChanges(repo.material, tip, repo.context, cursor);
      assert.deepEqual(texts, { 'd0/f0.yaml': 'changed' });
      spent.push(calls.take().map((line) => /diff-tree|ls-tree|cat-file --batch|\w+ -e/.exec(line)?.[0] ?? line));
    }
    assert.deepEqual(spent, [
      ['diff-tree', 'cat-file --batch'],
      ['diff-tree', 'cat-file --batch'],
    ]);
  });

  test('files may become folders, and folders files', async () => {
    const repo = await Followed.make();
    await repo.origin.commit('one', { 'x.yaml': 'file', 'y.yaml/inner.yaml': 'inner' });
    const { cursor } = await repo.readChanges();
    rmSync(join(repo.origin.path, 'x.yaml'));
    rmSync(join(repo.origin.path, 'y.yaml'), { recursive: true });
    await repo.origin.commit('two', { 'x.yaml/inner.yaml': 'now inside', 'y.yaml': 'now a file' });
    const { texts, removed } = await repo.readChanges(cursor);
    assert.deepEqual(texts, { 'x.yaml/inner.yaml': 'now inside', 'y.yaml': 'now a file' });
    assert.deepEqual(removed.toSorted(), ['x.yaml', 'y.yaml/inner.yaml']);
  });

  test('an asynchronous choice of files, such as that of a plugin, is awaited', async () => {
    const repo = await Followed.make();
    const tip = await repo.origin.commit('one', { 'a.yaml': 'a', b: 'b' });
    const files = await openFiles(repo.material, tip, repo.context);
    const { changed } = await files.changes(undefined, async (paths) => new Set(paths.filter((path) => path === 'b')));
    assert.deepEqual(await textsOf(files, changed), { b: 'b' });
  });
});

describe('file names with control characters or without UTF-8', () => {
  test('are reported as problems when the files are chosen', async () => {
    const repo = await Followed.make();
    await repo.origin.commit('start', { 'a.yaml': 'a' });
    const tip = await repo.origin.tip();
    const file = (path: string) => `M 100644 inline ${path}\ndata 1\nx\n`;
    const text = `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nfrom ${tip}\n${file('"line\\nbreak.yaml"')}${file('"line\\nbreak.md"')}`;
    repo.origin.fastImport(Buffer.concat([Buffer.from(text), Buffer.from(file('no-utf8-\xff.yaml'), 'latin1'), Buffer.from('\n')]));
    for (const cursor of [undefined, tip]) {
      const { texts, problems } = await repo.readChanges(cursor);
      assert.deepEqual(Object.keys(texts), cursor === undefined ? ['a.yaml'] : []);
      assert.deepEqual(problems.map(({ message }) => message).toSorted(), [
        'The path "line\\nbreak.yaml" has a control character in it, such as a line break.',
        'The path "no-utf8-\uFFFD.yaml" is not written in UTF-8.',
      ]);
    }
  });
});

describe('limits', () => {
  test('a file that is too large is reported, the others are read', async () => {
    const repo = await Followed.make();
    await repo.origin.commit('one', {
      'a.yaml': 'a',
      'large.yaml': 'x'.repeat(2 * 1024 * 1024 + 1),
      'z.yaml': 'y'.repeat(2 * 1024 * 1024),
    });
    const { texts } = await repo.readChanges();
    assert.equal(texts['a.yaml'], 'a');
    assert.equal(texts['z.yaml']!.length, 2 * 1024 * 1024);
    assert.equal(texts['large.yaml'], '! large.yaml has 2.1 MB; at most 2 MB of a file are read.');
  });

  test('one file may not exceed its limit, nor many files together theirs', async () => {
    const repo = await Followed.make();
    await repo.origin.commit('one', { 'huge.yaml': 'x'.repeat(101 * 1024 * 1024) });
    await assert.rejects(repo.readChanges(), /^Error: huge\.yaml has 101 MB; at most 2 MB of a file are read\.$/);
    rmSync(join(repo.origin.path, 'huge.yaml'));
    await repo.origin.commit(
      'two',
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${index}.yaml`, `${index}`.padEnd(2 * 1024 * 1024)])),
    );
    await assert.rejects(repo.readChanges(), /^Error: The files that match have more than 100 MB in all\.$/);
  });

  test('more files than the limit are refused', async () => {
    const repo = await Followed.make();
    const files = Array.from({ length: 20_001 }, (_, index) => `M 100644 inline f${index}.yaml\ndata 1\nx\n`).join('');
    repo.origin.fastImport(`commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\n${files}\n`);
    await assert.rejects(repo.readChanges(), /More than 20,000 files match; choose fewer/);
    const tip = await repo.origin.tip('main');
    const opened = await openFiles(repo.material, tip, repo.context);
    const { changed } = await opened.changes(undefined, (paths) => paths.filter((path) => path !== 'f0.yaml'));
    assert.equal(changed.length, 20_000);
  });

  test('reading ends when its time is over, or when it is aborted', async () => {
    const repo = await Followed.make();
    const tip = await repo.origin.commit('one', { 'a.yaml': 'a' });
    await repo.readChanges();
    await assert.rejects(readChanges(repo.material, tip, { ...repo.context, signal: AbortSignal.abort() }), CommandStopped);
    // Git may be done before the timeout is checked, but not each time.
    const limits = { timeoutMs: 1, maxBytes: 1e9 };
    const verdicts = [];
    while (verdicts.length < 50 && !(verdicts.at(-1) instanceof CommandStopped)) {
      verdicts.push(await readChanges(repo.material, tip, { ...repo.context, limits }).catch((failure: unknown) => failure));
    }
    assert.ok(verdicts.at(-1) instanceof CommandStopped);
  });
});

describe('the copy of the repository', () => {
  test('is made or brought up to date when it does not have the revision', async () => {
    const repo = await Followed.make();
    const one = await repo.origin.commit('one', { 'a.yaml': 'a' });
    assert.deepEqual((await readChanges(repo.material, one, repo.context)).texts, { 'a.yaml': 'a' });
    const two = await repo.origin.commit('two', { 'a.yaml': 'b' });
    assert.deepEqual((await readChanges(repo.material, two, repo.context, one)).texts, { 'a.yaml': 'b' });
    await assert.rejects(
      readChanges(repo.material, 'd'.repeat(40), repo.context),
      /The revision d{40} is not in the repository any more\./,
    );
    await assert.rejects(readChanges(repo.material, '--help', repo.context), /--help is no revision of a git repository/);
  });

  test('is made anew when it is damaged', async () => {
    const repo = await Followed.make();
    const tip = await repo.origin.commit('one', { 'a.yaml': 'a', 'deep/b.yaml': 'b' });
    await repo.readChanges();
    const objects = join(repo.context.directory, 'mirror.git', 'objects', 'pack');
    for (const name of readdirSync(objects)) rmSync(join(objects, name));
    assert.deepEqual((await readChanges(repo.material, tip, repo.context)).texts, { 'a.yaml': 'a', 'deep/b.yaml': 'b' });
    writeFileSync(join(repo.context.directory, 'mirror.git', 'HEAD'), 'nonsense');
    assert.deepEqual((await readChanges(repo.material, tip, repo.context)).texts, { 'a.yaml': 'a', 'deep/b.yaml': 'b' });
  });
});
