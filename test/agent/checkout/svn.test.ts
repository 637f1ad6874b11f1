// Subversion repositories as agents check them out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { requirePassword, SvnOrigin, startSvnserve } from '../../materials/support/svn-origin.ts';
import { Lab, svnWork } from './support.ts';

let lab: Lab;
let origin: SvnOrigin;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  lab = new Lab();
  origin = await SvnOrigin.make(lab.path('served', 'app'));
  origin.load([
    { message: 'one', added: { trunk: null, 'trunk/a.txt': 'one', branches: null, 'branches/b': null, 'branches/b/b.txt': 'branch' } },
    { message: 'two', changed: { 'trunk/a.txt': 'two' }, added: { 'trunk/c.txt': 'c' } },
  ]);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  lab.end();
});

test('the files of the revision are there, and nothing that a build left', async () => {
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '1'));
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['a.txt'], 'one']);
  lab.write('a.txt', 'changed');
  lab.write('left/x', 'x');
  lab.write('other/x', 'x');
  lab.write('c.txt', 'in the way');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '2'), { otherDestinations: ['other'] });
  assert.deepEqual([lab.names(), lab.read('a.txt'), lab.read('c.txt')], [['a.txt', 'c.txt', 'other'], 'two', 'c']);
  await lab.checkOut(svnWork(`${origin.url}/trunk/`, '1'));
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['a.txt'], 'one']);
});

test('the checkout switches to another folder of the repository, and is made anew for another repository', async () => {
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '2'));
  await lab.checkOut(svnWork(`${origin.url}/branches/b`, '2', { fingerprint: 'f2' }));
  assert.deepEqual(lab.names(), ['b.txt']);
  assert.doesNotMatch(lab.console, /made anew/);
  const other = await SvnOrigin.make(lab.path('other'));
  other.load([{ message: 'one', added: { 'x.txt': 'x' } }]);
  lab.write('kept/x', 'x');
  await lab.checkOut(svnWork(other.url, '1', { fingerprint: 'f3' }), { otherDestinations: ['kept'] });
  assert.deepEqual(lab.names(), ['kept', 'x.txt']);
});

test('the locks and the damage of a killed svn are repaired', async () => {
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '1'));
  // As svn notes that it works on the folder.
  const sql = "INSERT INTO wc_lock (wc_id, local_dir_relpath, locked_levels) VALUES (1, '', -1);";
  execFileSync('python3', [
    '-c',
    `import sqlite3; db = sqlite3.connect(${JSON.stringify(lab.in('.svn', 'wc.db'))}); db.execute(${JSON.stringify(sql)}); db.commit()`,
  ]);
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '2'));
  assert.equal(lab.read('a.txt'), 'two');
  assert.doesNotMatch(lab.console, /made anew/);
  writeFileSync(lab.in('.svn', 'wc.db'), 'no database');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '1'));
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['a.txt'], 'one']);
  assert.match(lab.console, /made anew/);
});

test('the password is passed to svn alone', async () => {
  requirePassword(origin, 'ann', 'sesame-x');
  const server = await startSvnserve(lab.path('served'));
  ends.push(() => server.stop());
  const url = `${server.url}/app/trunk`;
  const login = { username: 'ann', password: 'sesame-x' };
  await lab.checkOut(svnWork(url, '1', login));
  await lab.checkOut(svnWork(url, '2', login));
  assert.equal(lab.read('a.txt'), 'two');
  assert.deepEqual(lab.filesWith(/sesame-x/), []);
  await assert.rejects(
    lab.checkOut(svnWork(url, '2', { ...login, password: 'wrong', destination: 'b' })),
    /^Error: The login was refused by the repository/,
  );
  await assert.rejects(lab.checkOut(svnWork(url, '9', login)), /^Error: The revision 9 is not in the repository any more/);
  await assert.rejects(
    lab.checkOut(svnWork(`${url}/none`, '2', { ...login, destination: 'c' })),
    /^Error: There is no repository at the repository/,
  );
  await assert.rejects(
    lab.checkOut(svnWork('svn://127.0.0.1:1/x', '2', { destination: 'd' })),
    /^Error: This agent cannot reach the repository/,
  );
  await assert.rejects(lab.checkOut(svnWork('/some/path', '2')), /correct the address/);
  await assert.rejects(lab.checkOut(svnWork(url, 'HEAD', login)), /HEAD is no revision/);
});

test('externals come when they are wanted, and get no login of another host', async () => {
  const work = lab.path('work');
  await origin.svn(lab.root, 'checkout', '--quiet', `${origin.url}/trunk`, work);
  await origin.svn(work, 'propset', '--quiet', 'svn:externals', '^/branches/b ext', '.');
  await origin.svn(work, 'commit', '--quiet', '-m', 'externals');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '3'));
  assert.equal(existsSync(lab.in('ext')), false);
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '3', { check_externals: true }));
  assert.equal(lab.read('ext/b.txt'), 'branch');
  await origin.svn(work, 'propset', '--quiet', 'svn:externals', 'svn://user@elsewhere.example/lib ext2', '.');
  await origin.svn(work, 'commit', '--quiet', '-m', 'elsewhere');
  await assert.rejects(lab.checkOut(svnWork(`${origin.url}/trunk`, '4', { check_externals: true, username: 'ann', password: 'x' })), {
    message:
      'An external is at svn://elsewhere.example, where the login of this material must not go: leave out the externals, or the login.',
  });
});

test('an ignored file stays until one of the repository takes its place', async () => {
  const work = lab.path('work');
  await origin.svn(lab.root, 'checkout', '--quiet', `${origin.url}/trunk`, work);
  await origin.svn(work, 'propset', '--quiet', 'svn:ignore', '*.o', '.');
  await origin.svn(work, 'commit', '--quiet', '-m', 'ignore');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '3'));
  lab.write('built.o', 'built');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '3'));
  assert.equal(lab.read('built.o'), 'built');
  writeFileSync(join(work, 'built.o'), 'committed');
  await origin.svn(work, 'add', '--quiet', '--no-ignore', 'built.o');
  await origin.svn(work, 'commit', '--quiet', '-m', 'no more');
  await lab.checkOut(svnWork(`${origin.url}/trunk`, '4'));
  assert.equal(lab.read('built.o'), 'committed');
});
