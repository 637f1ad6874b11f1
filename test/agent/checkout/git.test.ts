// Git repositories as agents check them out: quickly the second time, and despite the leftovers of an earlier build or a kill.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { fsck, git } from '../../support/git.ts';
import { gitWork, Lab } from './support.ts';

let lab: Lab;
let origin: GitOrigin;
beforeEach(async () => {
  lab = new Lab();
  origin = await GitOrigin.make(lab.path('origin'));
});
afterEach(() => lab.end());

const mirror = () => lab.path('cache', 'git', 'f1.git');

test('a checkout has the files of the revision, and of other files only ignored ones', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one', 'gone.txt': 'x', '.gitignore': '*.o\n' });
  await lab.checkOut(gitWork(origin.path, first));
  assert.deepEqual(lab.names(), ['.gitignore', 'a.txt', 'gone.txt']);
  lab.write('a.txt', 'changed');
  lab.write('left/over.txt', 'x');
  lab.write('nested/.git/HEAD', 'ref: refs/heads/x\n');
  lab.write('built.o', 'x');
  rmSync(lab.in('gone.txt'));
  const second = await origin.commit('two', { 'b.txt': 'two' });
  await lab.checkOut(gitWork(origin.path, second));
  assert.deepEqual(lab.names(), ['.gitignore', 'a.txt', 'b.txt', 'built.o', 'gone.txt']);
  assert.equal(lab.read('a.txt'), 'one');
  await lab.checkOut(gitWork(origin.path, first));
  assert.equal(lab.read('b.txt'), undefined);
  assert.equal((await git(lab.pipeline, 'rev-parse', 'HEAD')).trim(), first);
});

test('builds see the branch, its remote and its tags', async () => {
  await origin.commit('one', { 'a.txt': 'one' });
  await origin.run('tag', '-a', 'v1', '-m', 'v1');
  const tip = await origin.commit('two', { 'a.txt': 'two' });
  await lab.checkOut(gitWork(origin.path, tip));
  assert.equal((await git(lab.pipeline, 'rev-parse', '--abbrev-ref', 'HEAD')).trim(), 'main');
  assert.equal((await git(lab.pipeline, 'rev-parse', 'origin/main')).trim(), tip);
  assert.match(await git(lab.pipeline, 'describe'), /^v1-1-g/);
  assert.equal((await git(lab.pipeline, 'remote', 'get-url', 'origin')).trim(), origin.path);
  assert.equal((await git(lab.pipeline, 'log', '--format=%s')).trim(), 'two\none');
});

test('the folders of other materials stay', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(gitWork(origin.path, tip));
  lab.write('lib [x]/kept.txt', 'kept');
  lab.write('deep/er/kept.txt', 'kept');
  lab.write('deep/gone.txt', 'x');
  await lab.checkOut(gitWork(origin.path, tip), { otherDestinations: ['lib [x]', 'deep/er'] });
  assert.deepEqual([lab.read('lib [x]/kept.txt'), lab.read('deep/er/kept.txt'), lab.read('deep/gone.txt')], ['kept', 'kept', undefined]);
});

test('a destination is below the folder of the pipeline', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(gitWork(origin.path, tip, { destination: 'some/where' }));
  assert.equal(lab.read('some/where/a.txt'), 'one');
  for (const destination of ['../x', 'a/../../x', lab.path('x'), 'a/..'])
    await assert.rejects(
      lab.checkOut(gitWork(origin.path, tip, { destination })),
      /leads out of the folder of the pipeline: name a folder/,
    );
  mkdirSync(lab.path('outside'));
  symlinkSync(lab.path('outside'), lab.in('link'));
  symlinkSync(lab.path('nothing'), lab.in('dangling'));
  for (const destination of ['link', 'link/below', 'dangling'])
    await assert.rejects(lab.checkOut(gitWork(origin.path, tip, { destination })), /by a link: remove the link\.$/);
  assert.deepEqual(readdirSync(lab.path('outside')), []);
  assert.equal(existsSync(lab.path('nothing')), false);
  symlinkSync('some', lab.in('inside'));
  await lab.checkOut(gitWork(origin.path, tip, { destination: 'inside/there' }));
  assert.equal(lab.read('some/there/a.txt'), 'one');
  lab.write('file', 'x');
  await assert.rejects(
    lab.checkOut(gitWork(origin.path, tip, { destination: 'file' })),
    /^Error: The destination file is a file, .* or let the stage clean its working directory\.$/,
  );
});

test('a revision that is in the cache is not fetched again', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(gitWork(origin.path, tip));
  rmSync(origin.path, { recursive: true });
  lab.write('a.txt', 'changed');
  await lab.checkOut(gitWork(origin.path, tip));
  assert.equal(lab.read('a.txt'), 'one');
  await lab.checkOut(gitWork(origin.path, tip, { destination: 'second' }));
  assert.equal(lab.read('second/a.txt'), 'one');
});

test('a shallow clone has one commit, and is made whole for a full clone', async () => {
  await origin.commit('one', { 'a.txt': 'one' });
  const second = await origin.commit('two', { 'a.txt': 'two' });
  const shallow = { shallow_clone: true };
  await lab.checkOut(gitWork(origin.address, second, shallow));
  assert.equal((await git(lab.pipeline, 'log', '--format=%s')).trim(), 'two');
  const third = await origin.commit('three', { 'a.txt': 'three' });
  await origin.commit('four', { 'a.txt': 'four' });
  await lab.checkOut(gitWork(origin.address, third, shallow));
  assert.equal(lab.read('a.txt'), 'three');
  assert.equal((await git(lab.pipeline, 'log', '--format=%s')).trim(), 'three');
  await lab.checkOut(gitWork(origin.address, third));
  assert.equal((await git(lab.pipeline, 'log', '--format=%s')).trim(), 'three\ntwo\none');
});

test('a revision that left its branch is found, and one that is gone is reported', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one' });
  const left = await origin.commit('two', { 'a.txt': 'two' });
  await origin.run('reset', '--quiet', '--hard', first);
  const fourth = await origin.commit('other', { 'a.txt': 'other' });
  await lab.checkOut(gitWork(origin.path, fourth));
  await lab.checkOut(gitWork(origin.path, left));
  assert.equal(lab.read('a.txt'), 'two');
  await origin.run('checkout', '--quiet', '-b', 'else');
  await origin.run('branch', '--quiet', '-D', 'main');
  await lab.checkOut(gitWork(origin.path, first));
  assert.equal(lab.read('a.txt'), 'one');
  const gone = '1'.repeat(40);
  await assert.rejects(lab.checkOut(gitWork(origin.path, gone)), {
    message: `The revision ${gone} is not in the repository any more: trigger the pipeline with a newer one.`,
  });
  await assert.rejects(lab.checkOut(gitWork(origin.path, 'HEAD')), /^Error: HEAD is no revision of a git repository/);
  await assert.rejects(lab.checkOut(gitWork(origin.path, first, { branch: '--upload-pack=x:y' })), /names neither a branch nor a ref/);
});

test('a checkout of another repository gives way', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one', '.gitignore': '*.o\n' });
  const other = await GitOrigin.make(lab.path('other'));
  const second = await other.commit('one', { 'b.txt': 'two' });
  await lab.checkOut(gitWork(origin.path, first));
  lab.write('built.o', 'x');
  await lab.checkOut(gitWork(other.path, second, { fingerprint: 'f2' }));
  assert.deepEqual(lab.names(), ['b.txt']);
});

test('leftovers of a killed git or of a build do not matter', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(gitWork(origin.path, first));
  const locks = ['index', 'HEAD', 'config', 'packed-refs', 'shallow', 'refs/heads/main'];
  for (const name of locks) for (const folder of [lab.in('.git'), mirror()]) writeFileSync(join(folder, `${name}.lock`), '');
  writeFileSync(join(mirror(), 'objects', 'pack', 'tmp_pack_x'), 'half');
  mkdirSync(lab.in('.git', 'rebase-merge'));
  mkdirSync(lab.in('.git', 'hooks'));
  writeFileSync(lab.in('.git', 'hooks', 'post-checkout'), `#!/bin/sh\ntouch ${lab.path('hooked')}\n`, { mode: 0o755 });
  writeFileSync(lab.in('.git', 'config'), `[core]\nhooksPath = hooks\nfsmonitor = touch ${lab.path('hooked')}; false\n`);
  const second = await origin.commit('two', { 'a.txt': 'two' });
  await lab.checkOut(gitWork(origin.path, second));
  assert.equal(lab.read('a.txt'), 'two');
  assert.equal(existsSync(lab.path('hooked')), false);
  assert.doesNotMatch(await git(lab.pipeline, 'status'), /rebas/);
  assert.equal(existsSync(join(mirror(), 'objects', 'pack', 'tmp_pack_x')), false);
  assert.doesNotMatch(lab.console, /made anew/);
});

test('settings that a build has put elsewhere do not count, nor do files that it has put links to', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one', '.gitattributes': 'a.txt filter=x\n' });
  await lab.checkOut(gitWork(origin.path, first));
  const filter = `touch ${lab.path('filtered')}; cat`;
  for (const folder of [lab.in('.git'), mirror()]) {
    const common = lab.path(`common-${folder === mirror()}`);
    cpSync(folder, common, { recursive: true });
    appendFileSync(join(common, 'config'), `[filter "x"]\nsmudge = "${filter}"\n[core]\nalternateRefsCommand = "${filter}"\n`);
    writeFileSync(join(folder, 'commondir'), `${common}\n`);
  }
  writeFileSync(lab.path('precious'), 'x');
  rmSync(lab.in('.git', 'packed-refs'), { force: true });
  symlinkSync(lab.path('precious'), lab.in('.git', 'packed-refs'));
  const second = await origin.commit('two', { 'a.txt': 'two' });
  await lab.checkOut(gitWork(origin.path, second));
  assert.equal(lab.read('a.txt'), 'two');
  assert.equal(existsSync(lab.path('filtered')), false);
  assert.equal(readFileSync(lab.path('precious'), 'utf8'), 'x');
});

const DAMAGES: Readonly<Record<string, () => void>> = {
  'its index': () => writeFileSync(lab.in('.git', 'index'), 'no index'),
  'the file that says what is checked out': () => rmSync(lab.in('.git', 'objects'), { recursive: true }),
  'a link in its place': () => {
    rmSync(lab.in('.git'), { recursive: true });
    symlinkSync(origin.path, lab.in('.git'));
  },
  'the packs of the mirror': () => {
    for (const name of readdirSync(join(mirror(), 'objects', 'pack'))) rmSync(join(mirror(), 'objects', 'pack', name));
  },
  'a pack of the mirror': () => {
    for (const name of readdirSync(join(mirror(), 'objects', 'pack'))) truncateSync(join(mirror(), 'objects', 'pack', name), 30);
  },
  'the head of the mirror': () => writeFileSync(join(mirror(), 'HEAD'), ''),
  'the whole mirror': () => rmSync(mirror(), { recursive: true }),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`a damaged copy is made anew: ${what}`, async () => {
    const first = await origin.commit('one', { 'a.txt': 'one', 'b.txt': 'same' });
    await lab.checkOut(gitWork(origin.path, first));
    damage();
    lab.write('a.txt', 'changed');
    await lab.checkOut(gitWork(origin.path, first));
    assert.equal(lab.read('a.txt'), 'one');
    damage();
    lab.write('left.txt', 'x');
    const second = await origin.commit('two', { 'a.txt': 'two' });
    await lab.checkOut(gitWork(origin.path, second));
    assert.deepEqual([lab.read('a.txt'), lab.read('b.txt'), lab.read('left.txt')], ['two', 'same', undefined]);
    assert.equal(await git(origin.path, 'status', '--porcelain'), '');
  });
}

test('a git that is killed at any moment leaves nothing that cannot be healed', async () => {
  const { PATH = '' } = process.env;
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const files = (text: string) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`d${index % 20}/f${index}.txt`, `${text} ${index}`]));
  mkdirSync(lab.path('bin'));
  for (const delay of [2, 5, 10, 20, 40, 80]) {
    const tip = await origin.commit(`${delay}`, files(`${delay}`));
    writeFileSync(lab.path('bin', 'git'), `#!/bin/sh\nexec timeout -s KILL ${delay / 1000} ${real} "$@"\n`, { mode: 0o755 });
    process.env.PATH = [lab.path('bin'), PATH].join(delimiter);
    const isDone = await lab.checkOut(gitWork(origin.path, tip)).then(
      () => true,
      () => false,
    );
    process.env.PATH = PATH;
    if (!isDone) await lab.checkOut(gitWork(origin.path, tip));
    assert.equal(lab.read('d7/f7.txt'), `${delay} 7`);
    assert.equal(await git(lab.pipeline, 'status', '--porcelain'), '');
    assert.doesNotMatch(await fsck(mirror()), /code|error|missing|corrupt|broken/);
  }
});

test('many fetches do not make many packs', async () => {
  await lab.checkOut(gitWork(origin.path, await origin.commit('one', { 'a.txt': 'one' })));
  origin.grow('main', 45, 'refs/heads/main^0');
  const revisions = (await origin.run('log', '--reverse', '--format=%H', 'main')).trim().split('\n');
  // Each is all there is when it is fetched.
  for (const revision of revisions.slice(1)) {
    await origin.run('update-ref', 'refs/heads/main', revision);
    await lab.checkOut(gitWork(origin.path, revision));
  }
  const packs = readdirSync(join(mirror(), 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
  assert.ok(packs.length < 30, `${packs.length} packs`);
  assert.equal(lab.read('folder/file-45.txt'), 'content 45');
});

test('a repository of another user of the machine is read', { skip: process.getuid?.() !== 0 }, async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  for (const name of ['', ...readdirSync(origin.path, { recursive: true, encoding: 'utf8' })])
    chownSync(join(origin.path, name), 65534, 65534);
  await lab.checkOut(gitWork(origin.path, tip));
  assert.equal(lab.read('a.txt'), 'one');
});

test('the repository of a plugin is checked out, too', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  const { shallow_clone, submodule_folder, ...rest } = gitWork(origin.path, tip);
  await lab.checkOut({ ...rest, type: 'plugin', plugin: 'p' });
  assert.equal(lab.read('a.txt'), 'one');
});
