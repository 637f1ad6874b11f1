// Polling real git repositories: histories of every shape, and repositories that change under us.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PollContext } from '../../src/materials/clients/client.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { git } from '../support/git.ts';
import { ensureDebianPackages, findProgram } from '../support/services/debian.ts';
import { AUTHOR, GitOrigin, gitMaterial } from './support/git-origin.ts';
import { batchesOf, Lab, pollAll } from './support/polling.ts';

const lab = new Lab();
const bin = lab.newPath('bin');
const calls = join(lab.directory, 'calls');
/** While this file is there, git rejects every fetch, and exits with 0 nevertheless. */
const refusing = join(lab.directory, 'refusing');
/** While this file is there, git takes repositories for those of other users. */
const ofOthers = join(lab.directory, 'of-others');
const { PATH } = process.env;

/** Writes down each command, then lets git do it. */
before(async () => {
  await ensureDebianPackages(['git']);
  mkdirSync(bin);
  const refuse = `case "$* " in *" fetch "*) if test -e ${refusing}; then echo ' ! [rejected] main' >&2; exit 0; fi;; esac`;
  const own = `if test -e ${ofOthers}; then export GIT_TEST_ASSUME_DIFFERENT_OWNER=1; fi`;
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> ${calls}\n${refuse}\n${own}\nexec ${await findProgram('git')} "$@"\n`, {
    mode: 0o755,
  });
  process.env.PATH = [bin, PATH].join(delimiter);
});
after(() => {
  process.env.PATH = PATH;
  lab.remove();
});

const materialOf = ({ address }: { readonly address: string }, branch = 'main') => gitMaterial(address, { branch });
const newOrigin = () => GitOrigin.make(lab.newPath('origin'));
const poll = (origin: GitOrigin, known: string | undefined, context: PollContext, branch = 'main') =>
  pollAll(gitClient, materialOf(origin, branch), known, context);

/** The commands of git that something needed. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  rmSync(calls, { force: true });
  await work();
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return lines.map((line) => / (ls-remote|clone|fetch|init|merge-base|log|gc|cat-file) /.exec(`${line} `)?.[1] ?? line);
}

describe('a repository on this machine whose files can be read', () => {
  const pollPath = (url: string, known: string | undefined, context: PollContext, branch = 'main') =>
    pollAll(gitClient, { type: 'git', fingerprint: 'f', url, branch }, known, context);

  test('a local repository without news needs neither a program nor a directory', async () => {
    const origin = await newOrigin();
    const tip = await origin.commit('one', { 'a.txt': 'a' });
    const context = lab.context();
    for (const refs of ['loose', 'packed'])
      for (const url of [origin.path, `file://${origin.path}`, join(origin.path, '.git')]) {
        if (refs === 'packed') await origin.run('pack-refs', '--all');
        assert.deepEqual(await commandsOf(async () => assert.deepEqual(await pollPath(url, tip, context), [])), []);
      }
    assert.ok(!existsSync(context.directory));
  });

  test('new commits of a local repository are read without a copy', async () => {
    const origin = await newOrigin();
    const first = await origin.commit('one', { 'a.txt': 'a' });
    const context = lab.context();
    let found = await pollPath(origin.path, undefined, context);
    assert.deepEqual(found, await poll(origin, undefined, lab.context()));
    assert.deepEqual(await commandsOf(() => pollPath(origin.path, undefined, context)), ['log']);
    assert.deepEqual(readdirSync(context.directory), []);
    const second = await origin.commit('two');
    const third = await origin.commit('three');
    const changed = async () => {
      found = await pollPath(origin.path, first, context);
    };
    assert.deepEqual(await commandsOf(changed), ['log']);
    assert.deepEqual(readdirSync(context.directory), []);
    assert.deepEqual(
      found.map(({ revision }) => revision),
      [second, third],
    );
  });

  test('the settings of a local repository are not read', async () => {
    const origin = await newOrigin();
    await origin.commit('one', { 'a.txt': 'a' });
    writeFileSync(join(origin.path, '.git', 'config'), 'no settings that git could read');
    const commands = await commandsOf(async () => {
      const [newest] = await pollPath(origin.path, undefined, lab.context());
      assert.equal(newest!.comment, 'one');
    });
    assert.deepEqual(commands, ['log']);
  });

  test('a local repository that is not complete is copied', async () => {
    const origin = await newOrigin();
    await origin.commit('one', { 'a.txt': 'a' });
    await origin.commit('two', { 'a.txt': 'b' });
    const shallow = lab.newPath('shallow');
    await git(lab.directory, 'clone', '--quiet', '--bare', '--depth=1', `file://${origin.path}`, shallow);
    const commands = await commandsOf(async () => {
      const [newest] = await pollPath(shallow, undefined, lab.context());
      assert.deepEqual([newest!.comment, newest!.files], ['two', [{ name: 'a.txt', action: 'added' }]]);
    });
    assert.deepEqual(commands, ['log', 'clone', 'log']);
  });

  test('git is asked if the files of a local repository do not say plainly what they mean', async () => {
    const origin = await newOrigin();
    const tip = await origin.commit('one', { 'a.txt': 'a' });
    const context = lab.context();
    const worktree = lab.newPath('worktree');
    await origin.run('worktree', 'add', '--quiet', '--detach', worktree);
    assert.deepEqual(await commandsOf(() => pollPath(worktree, tip, context)), ['ls-remote']);
    await origin.run('symbolic-ref', 'refs/heads/also', 'refs/heads/main');
    assert.deepEqual(await commandsOf(() => pollPath(origin.path, tip, context, 'also')), ['ls-remote']);
    await origin.run('update-ref', '-d', 'refs/heads/main');
    await assert.rejects(pollPath(origin.path, tip, context), /refs\/heads\/main could not be found/);
    rmSync(join(origin.path, '.git', 'HEAD'));
    await assert.rejects(pollPath(origin.path, tip, context), /does not appear to be a git repository/);
  });
});

describe('new commits', () => {
  test('the first poll gives the newest commit only', async () => {
    const origin = await newOrigin();
    await origin.commit('one', { 'a.txt': 'a' });
    const tip = await origin.commit('two\n\nwith a body\n  indented', { 'b.txt': 'b' }, '--date=2015-07-01T05:20:05+02:00');
    const modifications = await poll(origin, undefined, lab.context());
    assert.deepEqual(modifications, [
      {
        revision: tip,
        userName: AUTHOR,
        email: null,
        comment: 'two\n\nwith a body\n  indented',
        modifiedTime: new Date('2015-07-01T03:20:05Z'),
        files: [{ name: 'b.txt', action: 'added' }],
      },
    ]);
  });

  test('the first commit of a repository has files, too', async () => {
    const origin = await newOrigin();
    await origin.commit('root', { 'a.txt': 'a', 'x/b.txt': 'b' });
    const [only] = await poll(origin, undefined, lab.context());
    assert.deepEqual(only!.files, [
      { name: 'a.txt', action: 'added' },
      { name: 'x/b.txt', action: 'added' },
    ]);
  });

  test('later polls give all commits since, oldest first, in batches, from one process', async () => {
    const origin = await newOrigin();
    const first = await origin.commit('start', { 'a.txt': 'a' });
    const context = lab.context();
    await poll(origin, undefined, context);
    origin.grow('main', 1300, first);
    let batches: Awaited<ReturnType<typeof batchesOf>> = [];
    const commands = await commandsOf(async () => {
      batches = await batchesOf(gitClient, materialOf(origin), first, context);
    });
    assert.deepEqual(commands, ['ls-remote', 'fetch', 'log']);
    const all = batches.flat();
    assert.ok(batches.length >= 3 && batches.every((batch) => batch.length > 0 && batch.length <= 500));
    const expected = (await origin.run('log', '--reverse', '--format=%H', `${first}..main`)).trim().split('\n');
    assert.deepEqual(
      all.map(({ revision }) => revision),
      expected,
    );
    assert.deepEqual(
      all.map(({ comment }) => comment),
      Array.from({ length: 1300 }, (_, index) => `change ${index + 1}`),
    );
    assert.deepEqual(all[0]!.files, [{ name: 'folder/file-1.txt', action: 'added' }]);
    assert.deepEqual(all[1299]!.files, [{ name: 'folder/file-0.txt', action: 'modified' }]);
    assert.equal(all[1299]!.modifiedTime.getTime(), (1_700_000_000 + 1300) * 1000);
  });

  test('a poll without news needs one ls-remote and no copy', async () => {
    const origin = await newOrigin();
    const tip = await origin.commit('one', { 'a.txt': 'a' });
    const context = lab.context();
    assert.deepEqual(await commandsOf(async () => assert.deepEqual(await poll(origin, tip, context), [])), ['ls-remote']);
    assert.deepEqual(readdirSync(context.directory), []);
    assert.deepEqual(await commandsOf(() => poll(origin, undefined, context)), ['clone', 'log']);
    assert.deepEqual(await commandsOf(async () => assert.deepEqual(await poll(origin, tip, context), [])), ['ls-remote']);
  });

  test('merges have no files, the commits they bring in have', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base', { 'a.txt': 'a' });
    await origin.run('checkout', '--quiet', '-b', 'side');
    const side = await origin.commit('side', { 'side.txt': 's' });
    await origin.run('checkout', '--quiet', 'main');
    const own = await origin.commit('own', { 'own.txt': 'o' });
    await origin.run('merge', '--quiet', '--no-ff', '-m', 'merge side', 'side');
    const merge = await origin.tip();
    const modifications = await poll(origin, base, lab.context());
    assert.equal(modifications.at(-1)!.revision, merge);
    assert.deepEqual(modifications.at(-1)!.files, []);
    assert.deepEqual(new Set(modifications.slice(0, 2).map(({ revision }) => revision)), new Set([side, own]));
    assert.deepEqual(modifications.find(({ revision }) => revision === side)!.files, [{ name: 'side.txt', action: 'added' }]);
    assert.deepEqual(
      (await poll(origin, own, lab.context())).map(({ revision }) => revision),
      [side, merge],
    );
  });

  test('a child never comes before its parent, even with wrong clocks', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base');
    const seconds = [1_700_000_500, 1_600_000_000, 1_700_000_400, 1_500_000_000];
    const commits = seconds.map((time, index) => `commit refs/heads/main\ncommitter A <a@b.c> ${time} +0000\ndata 1\n${index}\n`);
    commits[0] = commits[0]!.replace(/\n$/, `\nfrom ${base}\n`);
    origin.fastImport(`${commits.join('\n')}\n`);
    const comments = (await poll(origin, base, lab.context())).map(({ comment }) => comment);
    assert.deepEqual(comments, ['0', '1', '2', '3']);
  });

  test('renames, deletions, links and names of every kind are read', async () => {
    const origin = await newOrigin();
    const known = await origin.commit('start', { 'old name.txt': 'the same content\n'.repeat(20), 'gone.txt': 'x', file: 'y' });
    rmSync(join(origin.path, 'gone.txt'));
    rmSync(join(origin.path, 'file'));
    await origin.run('mv', 'old name.txt', 'new name.txt');
    const strange = ['über/näme.txt', '日本語.md', '🚀', 'tab\there', 'line\nbreak', '"quoted"', 'back\\slash', ' leading', 'A', 'M'];
    const files = Object.fromEntries(strange.map((name) => [name, name]));
    const { symlinkSync } = await import('node:fs');
    symlinkSync('new name.txt', join(origin.path, 'file'));
    await origin.commit('everything at once', files);
    const [only] = await poll(origin, known, lab.context());
    const actions = new Map(only!.files.map(({ name, action }) => [name, action]));
    assert.equal(actions.get('old name.txt'), 'deleted');
    assert.equal(actions.get('new name.txt'), 'added');
    assert.equal(actions.get('gone.txt'), 'deleted');
    assert.equal(actions.get('file'), 'unknown', 'a file has become a link');
    for (const name of strange) assert.equal(actions.get(name), 'added', JSON.stringify(name));
    assert.equal(actions.size, strange.length + 4);
  });

  test('messages and authors of every kind are read', async () => {
    const origin = await newOrigin();
    const known = await origin.commit('start');
    const commit = (committer: string | Buffer, message: string | Buffer) => [
      Buffer.from('commit refs/heads/main\n'),
      ...(typeof committer === 'string' ? [Buffer.from(`author ${committer}\ncommitter X <x@y.z> 1700000000 +0000\n`)] : [committer]),
      Buffer.from(`data ${Buffer.byteLength(message)}\n`),
      Buffer.from(message),
      Buffer.from('\n'),
    ];
    const huge = `huge\n\n${'word '.repeat(600_000)}`;
    const parts = [
      ...commit('Zoë 🚀 <zoë@example.org> 1700000001 +1300', 'ünïcode'),
      ...commit('<only@mail> 1700000002 -1100', ''),
      ...commit('No Mail <> 1700000003 +0000', '\n\n  blank lines and trailing  \n\n\n'),
      ...commit(
        Buffer.concat([
          Buffer.from('author '),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(' <a@b> 1700000004 +0000\ncommitter X <x@y> 1 +0000\n'),
        ]),
        Buffer.from([0x66, 0xfc, 0x72]),
      ),
      ...commit('H <h@h> 1700000005 +0000', huge),
      ...commit('D <d@d> 4102444800 +0000', 'deadbeef\ndeadbeefdeadbeefdeadbeefdeadbeefdeadbeef\nA\nM'),
      ...commit('E <e@e> 0 +0000', 'from the beginning of time'),
    ];
    const [first, ...rest] = parts;
    origin.fastImport(Buffer.concat([Buffer.from(`reset refs/heads/main\nfrom ${known}\n\n`), first!, ...rest]));
    const all = await poll(origin, known, lab.context());
    assert.deepEqual(
      all.map(({ userName }) => userName),
      ['Zoë 🚀 <zoë@example.org>', '<only@mail>', 'No Mail <>', '\ufffd\ufffd <a@b>', 'H <h@h>', 'D <d@d>', 'E <e@e>'],
    );
    assert.deepEqual(
      all.map(({ comment }) => comment!.slice(0, 60)),
      [
        'ünïcode',
        '',
        '  blank lines and trailing',
        'f\ufffdr',
        huge.slice(0, 60),
        'deadbeef\ndeadbeefdeadbeefdeadbeefdeadbeefdeadbeef\nA\nM',
        'from the beginning of time',
      ],
    );
    assert.ok(all[4]!.comment!.length > 1_000_000 && all[4]!.comment!.length <= 1024 * 1024, 'cut');
    assert.equal(all[5]!.modifiedTime.toISOString(), '2100-01-01T00:00:00.000Z');
    assert.equal(all[6]!.modifiedTime.getTime(), 0);
  });
});

describe('branches and refspecs', () => {
  test('another branch is followed, with slashes and odd characters in its name', async () => {
    const origin = await newOrigin();
    await origin.commit('on main');
    await origin.run('checkout', '--quiet', '-b', 'feature/ü#1');
    const tip = await origin.commit('on the branch', { 'f.txt': 'f' });
    await origin.run('checkout', '--quiet', 'main');
    await origin.commit('later on main');
    assert.equal((await poll(origin, undefined, lab.context(), 'feature/ü#1'))[0]!.revision, tip);
  });

  test('an empty branch stands for master', async () => {
    const origin = await newOrigin();
    await origin.commit('x');
    await assert.rejects(poll(origin, undefined, lab.context(), ' '), /^Error: The ref refs\/heads\/master could not be found\.$/);
  });

  test('a refspec follows its source', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base');
    await origin.run('checkout', '--quiet', '--detach');
    const pull = await origin.commit('pull request', { 'p.txt': 'p' });
    await origin.run('update-ref', 'refs/pull/12/head', pull);
    await origin.run('checkout', '--quiet', 'main');
    const context = lab.context();
    const branch = 'refs/pull/12/head:pr-12';
    assert.equal((await poll(origin, undefined, context, branch))[0]!.revision, pull);
    assert.deepEqual(await poll(origin, pull, context, branch), []);
    await origin.run('checkout', '--quiet', '--detach', pull);
    const more = await origin.commit('more', { 'q.txt': 'q' });
    await origin.run('update-ref', 'refs/pull/12/head', more);
    assert.deepEqual(
      (await poll(origin, base, context, branch)).map(({ revision }) => revision),
      [pull, more],
    );
    await origin.run('update-ref', '-d', 'refs/pull/12/head');
    await assert.rejects(poll(origin, more, context, branch), /The ref refs\/pull\/12\/head could not be found\.$/);
    await assert.rejects(poll(origin, undefined, lab.context(), branch), /The ref refs\/pull\/12\/head could not be found\.$/);
  });

  test('an annotated tag stands for its commit', async () => {
    const origin = await newOrigin();
    const tip = await origin.commit('released');
    await origin.run('tag', '-a', '-m', 'the tag', 'v1');
    const branch = 'refs/tags/v1:v1';
    assert.equal((await poll(origin, undefined, lab.context(), branch))[0]!.revision, tip);
    assert.deepEqual(await commandsOf(() => poll(origin, tip, lab.context(), branch)), ['ls-remote']);
  });

  test('a tag is no branch, nor is a branch that only ends like the one wanted', async () => {
    const origin = await newOrigin();
    await origin.commit('x');
    await origin.run('tag', 'release');
    await origin.run('branch', 'refs/heads/wanted');
    for (const branch of ['release', 'wanted']) {
      const missing = new RegExp(`The ref refs/heads/${branch} could not be found\\.$`);
      const context = lab.context();
      await assert.rejects(poll(origin, undefined, context, branch), missing);
      await assert.rejects(gitClient.checkConnection(materialOf(origin, branch), context), missing);
      assert.deepEqual(readdirSync(context.directory), []);
    }
  });
});

describe('a repository that changes under us', () => {
  test('after a force push only the newest commit counts', async () => {
    const origin = await newOrigin();
    await origin.commit('base');
    const lost = await origin.commit('lost', { 'a.txt': 'a' });
    const context = lab.context();
    await poll(origin, undefined, context);
    await origin.run('reset', '--quiet', '--hard', 'HEAD~1');
    await origin.commit('new one', { 'b.txt': 'b' });
    const tip = await origin.commit('new two', { 'c.txt': 'c' });
    for (const where of [context, lab.context()]) {
      assert.deepEqual(
        (await poll(origin, lost, where)).map(({ revision }) => revision),
        [tip],
        'with and without a copy that still has the lost commit',
      );
    }
    const next = await origin.commit('goes on');
    assert.deepEqual(
      (await poll(origin, tip, context)).map(({ revision }) => revision),
      [next],
    );
  });

  test('a branch that is put back gives the commit it is put back to', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base');
    const tip = await origin.commit('too much');
    const context = lab.context();
    await poll(origin, base, context);
    await origin.run('reset', '--quiet', '--hard', base);
    assert.deepEqual(
      (await poll(origin, tip, context)).map(({ revision }) => revision),
      [base],
    );
  });

  test('a deleted branch is reported, and when it comes back all goes on', async () => {
    const origin = await newOrigin();
    const base = await origin.commit('base');
    await origin.run('branch', 'short-lived');
    const context = lab.context();
    await poll(origin, undefined, context, 'short-lived');
    await origin.run('branch', '-D', 'short-lived');
    await assert.rejects(poll(origin, base, context, 'short-lived'), /^Error: The ref refs\/heads\/short-lived could not be found\.$/);
    await origin.run('checkout', '--quiet', '-b', 'short-lived');
    const tip = await origin.commit('again');
    assert.equal((await poll(origin, base, context, 'short-lived'))[0]!.revision, tip);
  });

  test('an empty repository and a missing one are reported', async () => {
    const origin = await newOrigin();
    const empty = /^Error: The ref refs\/heads\/main could not be found\. The repository is empty\.$/;
    await assert.rejects(poll(origin, undefined, lab.context()), empty);
    await assert.rejects(gitClient.checkConnection(materialOf(origin), lab.context()), empty);
    const nowhere = materialOf({ address: lab.newPath('nowhere') });
    await assert.rejects(pollAll(gitClient, nowhere, undefined, lab.context()), /git ended with status 128: .*does not exist/s);
    await assert.rejects(pollAll(gitClient, nowhere, 'a'.repeat(40), lab.context()), /does not appear to be a git repository/);
  });

  test('an invalid or unknown known revision gives the newest commit', async () => {
    const origin = await newOrigin();
    const tip = await origin.commit('x');
    for (const known of ['--output=/tmp/x', 'HEAD', 'e'.repeat(40), '']) {
      assert.deepEqual(
        (await poll(origin, known, lab.context())).map(({ revision }) => revision),
        [tip],
        known,
      );
    }
  });
});

test('a repository of another user is refused with a message that says how to allow it', async (t) => {
  const origin = await newOrigin();
  await origin.commit('first');
  const settings = lab.newPath('settings');
  writeFileSync(settings, `[safe]\n\tdirectory = ${origin.path}/.git\n`);
  const { GIT_CONFIG_GLOBAL } = process.env;
  t.after(() => {
    rmSync(ofOthers, { force: true });
    if (GIT_CONFIG_GLOBAL === undefined) delete process.env.GIT_CONFIG_GLOBAL;
    else process.env.GIT_CONFIG_GLOBAL = GIT_CONFIG_GLOBAL;
  });
  writeFileSync(ofOthers, '');
  const check = () => gitClient.checkConnection(materialOf(origin), lab.context());
  await assert.rejects(check(), ({ message }: Error) => {
    assert.match(message, /\/\.git belongs to another user: give it to the user of this server, or set GIT_CONFIG_GLOBAL in/);
    assert.doesNotMatch(message, /git config --global/);
    return true;
  });
  process.env.GIT_CONFIG_GLOBAL = settings;
  await check();
});

describe('the own copy', () => {
  test('the own copy is made anew if it is lost, half done, damaged or of something else, and no commit is missed', async () => {
    const origin = await newOrigin();
    const first = await origin.commit('first');
    const context = lab.context();
    const mirror = join(context.directory, 'mirror.git');
    const harm: Readonly<Record<string, () => void>> = {
      lost: () => rmSync(context.directory, { recursive: true }),
      'half done': () => rmSync(join(mirror, 'slipway-source')),
      'without objects': () => rmSync(join(mirror, 'objects'), { recursive: true }),
      'no repository': () => rmSync(join(mirror, 'HEAD')),
      'broken pack': () => {
        const packs = join(mirror, 'objects', 'pack');
        for (const name of readdirSync(packs)) {
          rmSync(join(packs, name));
          writeFileSync(join(packs, name), 'broken');
        }
      },
      'emptied by a loss of power': () => {
        const packs = join(mirror, 'objects', 'pack');
        for (const path of [join(mirror, 'config'), ...readdirSync(packs).map((name) => join(packs, name))]) {
          rmSync(path);
          writeFileSync(path, '');
        }
      },
      'an empty ref': () => {
        mkdirSync(join(mirror, 'refs', 'heads'), { recursive: true });
        writeFileSync(join(mirror, 'refs', 'heads', 'main'), '');
      },
      'of another repository': () => writeFileSync(join(mirror, 'slipway-source'), '{"url":"elsewhere"}\n'),
    };
    let known = first;
    for (const [what, damage] of Object.entries(harm)) {
      await poll(origin, undefined, context);
      await origin.run('gc', '--quiet');
      damage();
      const expected = [await origin.commit(`${what} 1`, { a: what }), await origin.commit(`${what} 2`, { b: what })];
      assert.deepEqual(
        (await poll(origin, known, context)).map(({ revision }) => revision),
        expected,
        what,
      );
      known = expected[1]!;
    }
  });

  test('follows a repository that is not complete, also when it begins elsewhere', async () => {
    const upstream = await newOrigin();
    for (const turn of [1, 2, 3]) await upstream.commit(`before ${turn}`);
    const path = lab.newPath('shallow.git');
    await git(lab.directory, 'clone', '--quiet', '--bare', '--depth=1', `file://${upstream.path}`, path);
    await git(path, 'update-ref', 'refs/changes/1', 'main');
    for (const branch of ['main', 'refs/changes/1:x']) {
      const material = { ...materialOf({ address: `file://${path.replace(/git$/, '%67it')}` }, branch), paths: [] };
      const context = lab.context();
      let [known] = await pollAll(gitClient, material, undefined, context);
      for (const turn of [1, 2]) {
        await upstream.commit(`between ${turn}`);
        const tip = await upstream.commit(`after ${turn}`, { [`${turn}`]: 'x' });
        await git(path, 'fetch', '--quiet', '--depth=1', `file://${upstream.path}`, '+main:main', '+main:refs/changes/1');
        const found = await pollAll(gitClient, material, known!.revision, context);
        assert.equal(found.at(-1)?.revision, tip, `${branch} ${turn}`);
        known = found.at(-1);
        const into = lab.newPath('into');
        await gitClient.checkOut!(material, tip, into, context);
        assert.equal(readFileSync(join(into, `${turn}`), 'utf8'), 'x');
      }
    }
  });

  test('a fetch that takes no commits, although there are new ones, is reported', async (t) => {
    const origin = await newOrigin();
    const first = await origin.commit('first');
    const context = lab.context();
    await poll(origin, undefined, context);
    const second = await origin.commit('second');
    writeFileSync(refusing, '');
    t.after(() => rmSync(refusing, { force: true }));
    await assert.rejects(poll(origin, first, context), ({ message }: Error) => {
      assert.equal(message, `Git fetched nothing new, although refs/heads/main of the repository is at ${second}.\n! [rejected] main`);
      return true;
    });
    rmSync(refusing);
    await git(join(context.directory, 'mirror.git'), 'fetch', '--quiet', origin.path, '+main:main');
    writeFileSync(refusing, '');
    const found = await poll(origin, first, context);
    assert.deepEqual(
      found.map(({ revision }) => revision),
      [second],
      'it was there before',
    );
  });

  test('the own copy of a repository that was replaced by one with other hashes is made anew, and back', async () => {
    const origin = await newOrigin();
    const context = { main: lab.context(), 'refs/tags/t:x': lab.context() };
    const known: Record<string, string | undefined> = {};
    for (const format of ['sha1', 'sha256', 'sha1']) {
      rmSync(join(origin.path, '.git'), { recursive: true });
      await origin.run('init', '--quiet', '--initial-branch=main', `--object-format=${format}`);
      await origin.run('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', format);
      await origin.run('tag', 't');
      for (const [branch, own] of Object.entries(context)) {
        const found = await poll(origin, known[branch], own, branch);
        assert.deepEqual(
          found.map(({ comment }) => comment),
          [format],
          branch,
        );
        known[branch] = found[0]!.revision;
      }
    }
  });

  test('leftovers of an ended git are removed', async () => {
    const origin = await newOrigin();
    const first = await origin.commit('first');
    const context = lab.context();
    await poll(origin, undefined, context);
    const mirror = join(context.directory, 'mirror.git');
    mkdirSync(join(mirror, 'objects', 'pack'), { recursive: true });
    mkdirSync(join(mirror, 'refs', 'heads'), { recursive: true });
    for (const name of ['objects/pack/tmp_pack_x', 'packed-refs.lock', 'refs/heads/main.lock']) writeFileSync(join(mirror, name), 'x');
    const second = await origin.commit('second');
    assert.deepEqual(
      (await poll(origin, first, context)).map(({ revision }) => revision),
      [second],
    );
    assert.ok(!existsSync(join(mirror, 'objects', 'pack', 'tmp_pack_x')));
  });

  test('stays compact, however often it grows', async () => {
    const origin = await newOrigin();
    let known = await origin.commit('start', { 'a.txt': 'a' });
    const context = lab.context();
    await poll(origin, undefined, context);
    let collections = 0;
    for (let turn = 1; turn <= 70; turn++) {
      origin.grow('main', 1, known);
      const commands = await commandsOf(async () => {
        known = (await poll(origin, known, context))[0]!.revision;
      });
      collections += commands.filter((name) => name === 'gc').length;
    }
    const counted = await git(join(context.directory, 'mirror.git'), 'count-objects', '-v');
    assert.ok(Number(/^packs: (\d+)/m.exec(counted)![1]) <= 30, counted);
    assert.match(counted, /^count: 0$/m);
    assert.ok(collections >= 2 && collections <= 3, `${collections} times`);
  });
});
