// Mercurial repositories as agents check them out.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { HgOrigin, startHgServe } from '../../materials/support/hg-origin.ts';
import { QuickHg } from '../../materials/support/quick-hg.ts';
import { hgWork, Lab } from './support.ts';

let lab: Lab;
let origin: HgOrigin;
const ends: (() => unknown)[] = [];
const programs = mkdtempSync(join(tmpdir(), 'slipway-hg-'));
let quickHg: QuickHg;
before(async () => {
  quickHg = await QuickHg.install(programs);
});
after(() => {
  quickHg.remove();
  rmSync(programs, { recursive: true, force: true });
});
beforeEach(async () => {
  lab = new Lab();
  origin = await HgOrigin.make(lab.path('origin'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  lab.end();
});

const cache = () => lab.path('cache', 'hg', 'f1');

test('the files of the revision are there, and of the files of a build only ignored ones', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one', '.hgignore': 'o$' });
  await lab.checkOut(hgWork(origin.path, first));
  assert.equal(lab.read('a.txt'), 'one');
  lab.write('a.txt', 'changed');
  lab.write('left/x', 'x');
  lab.write('other/x', 'x');
  lab.write('built.o', 'x');
  const second = await origin.commit('two', { 'b.txt': 'two' });
  await lab.checkOut(hgWork(`${origin.path}#default`, second), { otherDestinations: ['other'] });
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['.hgignore', 'a.txt', 'b.txt', 'built.o', 'other'], 'one']);
  rmSync(origin.path, { recursive: true });
  await lab.checkOut(hgWork(origin.path, first));
  assert.deepEqual(lab.names(), ['.hgignore', 'a.txt', 'built.o']);
  await lab.checkOut(hgWork(origin.path, second, { destination: 'again' }));
  assert.equal(lab.read('again/b.txt'), 'two');
});

test('a branch and another repository are checked out, and a missing revision is reported', async () => {
  await origin.commit('one', { 'a.txt': 'one' });
  await origin.hg('branch', '--quiet', 'side');
  const side = await origin.commit('side', { 'side.txt': 'side' });
  await lab.checkOut(hgWork(origin.path, side, { branch: 'side' }));
  assert.equal(lab.read('side.txt'), 'side');
  const other = await HgOrigin.make(lab.path('other'));
  const tip = await other.commit('other', { 'o.txt': 'o' });
  lab.write('kept/x', 'x');
  await lab.checkOut(hgWork(other.path, tip, { fingerprint: 'f2' }), { otherDestinations: ['kept'] });
  assert.deepEqual(lab.names(), ['kept', 'o.txt']);
  await assert.rejects(
    lab.checkOut(hgWork(other.path, '1'.repeat(40), { fingerprint: 'f2' })),
    /^Error: The revision 1+ is not in the repository any more/,
  );
  await assert.rejects(
    lab.checkOut(hgWork(lab.path('none'), tip, { destination: 'b' })),
    /^Error: There is no repository at the repository/,
  );
  await assert.rejects(
    lab.checkOut(hgWork('http://127.0.0.1:1/x', tip, { destination: 'c' })),
    /^Error: This agent cannot reach the repository/,
  );
  await assert.rejects(lab.checkOut(hgWork(other.path, 'tip')), /tip is no revision/);
  await assert.rejects(lab.checkOut(hgWork('bundle:x', tip)), /correct the address/);
});

test('the login is used, and written to no file', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one' });
  const server = await startHgServe(origin, 'ann', 'sesame-x');
  ends.push(() => server.stop());
  const login = { username: 'ann', password: 'sesame-x' };
  await lab.checkOut(hgWork(server.url, first, login));
  assert.equal(lab.read('a.txt'), 'one');
  assert.deepEqual(lab.filesWith(/sesame-x/), []);
  await assert.rejects(
    lab.checkOut(hgWork(server.url, first, { ...login, password: 'wrong', fingerprint: 'f2', destination: 'b' })),
    /^Error: The login was refused/,
  );
  await assert.rejects(lab.checkOut(hgWork(server.url, first, { ...login, password: 'ö', destination: 'b' })), /in ASCII/);
});

test('a damaged repository is made anew', async () => {
  const first = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(hgWork(origin.path, first));
  writeFileSync(lab.in('.hg', 'requires'), 'what nobody knows\n');
  await lab.checkOut(hgWork(origin.path, first));
  assert.match(lab.console, /made anew/);
  const second = await origin.commit('two', { 'a.txt': 'two' });
  truncateSync(join(cache(), '.hg', 'store', '00changelog.i'), 20);
  await lab.checkOut(hgWork(origin.path, second));
  assert.equal(lab.read('a.txt'), 'two');
  // A pull that was killed.
  writeFileSync(join(cache(), '.hg', 'store', 'journal'), '');
  const third = await origin.commit('three', { 'a.txt': 'three' });
  await lab.checkOut(hgWork(origin.path, third));
  assert.equal(lab.read('a.txt'), 'three');
  assert.equal(existsSync(join(cache(), '.hg', 'store', 'journal')), false);
});

test('hooks that a build writes into the settings of the repository are not run', async (t) => {
  quickHg.leaveOut(t);
  const first = await origin.commit('one', { 'a.txt': 'one' });
  await lab.checkOut(hgWork(origin.path, first));
  writeFileSync(lab.in('.hg', 'hgrc'), `[hooks]\nupdate = touch ${lab.path('hooked')}\n`);
  await lab.checkOut(hgWork(origin.path, await origin.commit('two', { 'a.txt': 'two' })));
  assert.equal(lab.read('a.txt'), 'two');
  assert.equal(existsSync(lab.path('hooked')), false);
});

test('a link that a build has left on the way to another material is removed, and nothing behind it', async () => {
  const tip = await origin.commit('one', { 'a.txt': 'one' });
  mkdirSync(lab.path('elsewhere', 'sub'), { recursive: true });
  writeFileSync(lab.path('elsewhere', 'precious.txt'), 'x');
  mkdirSync(lab.pipeline, { recursive: true });
  symlinkSync(lab.path('elsewhere'), lab.in('libs'));
  await lab.checkOut(hgWork(origin.path, tip), { otherDestinations: ['libs/core'] });
  assert.deepEqual(readdirSync(lab.path('elsewhere')), ['precious.txt', 'sub']);
  assert.deepEqual(lab.names(), ['a.txt']);
});
