// Team Foundation version control as agents check it out, through a stand-in for the program tf.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { installStandIn, type StandIn } from '../../materials/support/stand-in.ts';
import { TF_STAND_IN, type TfState } from '../../materials/support/tf-stand-in.ts';
import { Lab, tfsWork } from './support.ts';

const URL = 'https://tfs.example.org/collection';
const LOGIN = { username: 'bob', password: 'a "tfs-secret", x', domain: 'CORP' };
const common = { owner: 'ann', committer: 'ann', date: '2015-07-01T05:20:05.123+0200', comment: '' };
const STATE: TfState = {
  login: `CORP\\bob,${LOGIN.password}`,
  collection: URL,
  changesets: [
    { ...common, id: 7, items: [{ path: '$/app/a b.txt', type: 'add', text: 'one' }] },
    { ...common, id: 9, items: [{ path: '$/app/a b.txt', type: 'edit', text: 'two' }] },
  ],
};

let lab: Lab;
let tf: StandIn;
beforeEach(() => {
  lab = new Lab();
  tf = installStandIn('tf', TF_STAND_IN, lab.path('bin'));
  tf.setState(STATE);
});
afterEach(() => {
  tf.restore();
  lab.end();
});

test('a revision is checked out in a workspace that is kept', async () => {
  lab.write('left.txt', 'x');
  lab.write('lib/x', 'x');
  await lab.checkOut(tfsWork(URL, '7', LOGIN), { otherDestinations: ['lib'] });
  assert.deepEqual([lab.names(), lab.read('a b.txt')], [['a b.txt', 'lib'], 'one']);
  lab.write('a b.txt', 'changed');
  await lab.checkOut(tfsWork(URL, '9', LOGIN));
  assert.equal(lab.read('a b.txt'), 'two');
  assert.equal(Object.keys(JSON.parse(readFileSync(join(tf.folder, 'workspaces.json'), 'utf8'))).length, 1);
  // It is made anew when the server has forgotten it, and when the agent did not come to its end.
  rmSync(join(tf.folder, 'workspaces.json'));
  await lab.checkOut(tfsWork(URL, '7', LOGIN));
  assert.equal(lab.read('a b.txt'), 'one');
  rmSync(lab.path('cache'), { recursive: true });
  await lab.checkOut(tfsWork(URL, '9', LOGIN));
  assert.equal(lab.read('a b.txt'), 'two');
  assert.doesNotMatch(readFileSync(join(tf.folder, 'calls.jsonl'), 'utf8'), /tfs-secret/);
  assert.deepEqual(lab.filesWith(/tfs-secret/), []);
});

test('a failed checkout names its reason', async () => {
  await assert.rejects(lab.checkOut(tfsWork(URL, '7', { ...LOGIN, password: 'wrong' })), /^Error: The login was refused by the repository/);
  await assert.rejects(lab.checkOut(tfsWork('https://other', '7', LOGIN)), /^Error: This agent cannot reach the repository/);
  await assert.rejects(lab.checkOut(tfsWork(URL, '7', { ...LOGIN, project_path: '-x' })), /begins with `\$\/`/);
  await assert.rejects(lab.checkOut(tfsWork(URL, '7', { ...LOGIN, project_path: '$/a\nb' })), /must not contain line breaks/);
  await assert.rejects(lab.checkOut(tfsWork(URL, 'now', LOGIN)), /now is no changeset/);
  const { PATH } = process.env;
  process.env.PATH = lab.path('nothing');
  await assert.rejects(lab.checkOut(tfsWork(URL, '7', LOGIN)), /^Error: Install tf on this agent/).finally(() => (process.env.PATH = PATH));
});
