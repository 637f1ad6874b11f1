// Perforce depots as agents sync them, through a stand-in for the program p4.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { p4ClientName } from '../../../src/agent/checkout/p4.ts';
import { P4_STAND_IN, type P4State } from '../../materials/support/p4-stand-in.ts';
import { installStandIn, type StandIn } from '../../materials/support/stand-in.ts';
import { Lab, p4Work } from './support.ts';

const LOGIN = { username: 'bob', password: 'sesame-x' };
const CHANGES: P4State['changes'] = [
  [
    5,
    [
      { path: '//depot/app/a.txt', action: 'add', text: 'one' },
      { path: '//depot/app/gone.txt', action: 'add', text: 'x' },
    ],
  ] as const,
  [
    7,
    [
      { path: '//depot/app/a.txt', action: 'edit', text: 'two' },
      { path: '//depot/app/gone.txt', action: 'delete' },
    ],
  ] as const,
].map(([change, files]) => ({ change, files, time: 1, user: 'ann', client: 'c', desc: '' }));

let lab: Lab;
let p4: StandIn;
const setState = (more: Partial<P4State> = {}) =>
  p4.setState({ user: 'bob', password: LOGIN.password, security: 'password', changes: CHANGES, ...more });
beforeEach(() => {
  lab = new Lab();
  p4 = installStandIn('p4', P4_STAND_IN, lab.path('bin'));
  setState();
});
afterEach(() => {
  p4.restore();
  lab.end();
});

interface Call {
  readonly args: readonly string[];
  readonly environment: readonly string[];
}

/** The calls of `p4` since the last time. */
function calls(): readonly Call[] {
  const file = join(p4.folder, 'calls.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(file);
  return lines.map((line): Call => JSON.parse(line));
}

const commands = () =>
  calls().map(({ args }) =>
    args
      .slice(0, 2)
      .join(' ')
      .replace(/ \/\/.*/, ''),
  );

test('the first sync is a whole one, later ones bring changes and remove the files of builds', async () => {
  lab.write('of-another-material.txt', 'x');
  await lab.checkOut(p4Work('5', LOGIN));
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['a.txt', 'gone.txt'], 'one']);
  assert.deepEqual(commands(), ['client -i', 'sync -f']);
  lab.write('left.txt', 'x');
  lab.write('a.txt', 'changed');
  await lab.checkOut(p4Work('7', LOGIN));
  assert.deepEqual([lab.names(), lab.read('a.txt')], [['a.txt'], 'two']);
  assert.deepEqual(commands(), ['sync', 'clean']);
  assert.doesNotMatch(lab.console, /sesame/);
});

test('a sync that did not end, an old server and folders of others make it a whole one', async () => {
  await lab.checkOut(p4Work('5', LOGIN));
  calls();
  await assert.rejects(lab.checkOut(p4Work('5', { ...LOGIN, password: 'wrong' })), /^Error: The login was refused by the repository/);
  lab.write('a.txt', 'changed');
  calls();
  await lab.checkOut(p4Work('5', LOGIN));
  assert.deepEqual([commands(), lab.read('a.txt')], [['client -i', 'sync -f'], 'one']);
  setState({ isOld: true });
  lab.write('a.txt', 'changed');
  await lab.checkOut(p4Work('5', LOGIN));
  assert.deepEqual([commands(), lab.read('a.txt')], [['sync', 'clean', 'sync -f'], 'one']);
  setState();
  lab.write('lib/x', 'x');
  await lab.checkOut(p4Work('5', LOGIN), { otherDestinations: ['lib'] });
  assert.deepEqual([commands(), lab.read('lib/x')], [['sync -f'], 'x']);
  rmSync(join(p4.folder, 'clients.json'));
  await lab.checkOut(p4Work('5', LOGIN));
  assert.deepEqual(commands(), ['sync', 'client -i', 'sync -f']);
  await lab.checkOut(p4Work('5', { ...LOGIN, view: '//depot/... //x/...' }));
  assert.equal(lab.read('app/a.txt'), 'one');
});

test('with tickets the password is passed to the login alone', async () => {
  setState({ security: 'ticket' });
  await lab.checkOut(p4Work('5', { ...LOGIN, use_tickets: true, destination: 'lib' }));
  assert.equal(lab.read('lib/a.txt'), 'one');
  const made = calls();
  assert.ok(made.some(({ args }) => args[0] === 'login'));
  assert.ok(made.every(({ environment, args }) => !environment.includes('P4PASSWD') && !args.includes(LOGIN.password)));
  assert.deepEqual(lab.filesWith(/sesame/), []);
  await lab.checkOut(p4Work('5', { ...LOGIN, use_tickets: true, destination: 'lib' }));
  assert.ok(calls().every(({ args }) => args[0] !== 'login'));
  await assert.rejects(
    lab.checkOut(p4Work('5', { ...LOGIN, password: 'wrong', use_tickets: true, fingerprint: 'f2' })),
    /^Error: The login was refused/,
  );
});

test('the client is known to builds; an unreachable or wrong repository fails with the reason', async () => {
  await lab.checkOut(p4Work('5', { ...LOGIN, destination: 'lib' }));
  const name = p4ClientName(lab.pipeline, 'lib');
  assert.match(name, new RegExp(`^slipway-${RegExp.escape(hostname())}-[0-9a-f]{16}$`));
  assert.ok(name in JSON.parse(readFileSync(join(p4.folder, 'clients.json'), 'utf8')));
  assert.notEqual(name, p4ClientName(lab.pipeline, null));
  await assert.rejects(lab.checkOut(p4Work('5', { ...LOGIN, port: 'nowhere:1666' })), /^Error: This agent cannot reach the repository/);
  await assert.rejects(lab.checkOut(p4Work('5', { ...LOGIN, port: 'rsh:touch x' })), /over tcp or ssl/);
  await assert.rejects(lab.checkOut(p4Work('now', LOGIN)), /now is no change/);
  setState({ isTrusted: false });
  await assert.rejects(lab.checkOut(p4Work('5', LOGIN)), /run `p4 trust` as the user of the agent/);
  const { PATH } = process.env;
  process.env.PATH = lab.path('nothing');
  await assert.rejects(lab.checkOut(p4Work('5', LOGIN)), /^Error: Install p4 on this agent/).finally(() => (process.env.PATH = PATH));
});
