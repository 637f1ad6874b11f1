// The flags and variables that commands have in common: each is in the help, and each is understood.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Command } from '../../src/cli/terminal/command.ts';
import { dataDirOf } from '../../src/cli/terminal/target.ts';
import { slipway } from '../support/server/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-names-test-'));
after(() => rmSync(folder, { recursive: true }));

const CONTEXT = ['--context', 'SLIPWAY_CONTEXT', '--ca-file'];
const REMOTE = [
  ...['--url', '--user', '--password', '--token', 'SLIPWAY_URL', 'SLIPWAY_USER', 'SLIPWAY_PASSWORD', 'SLIPWAY_TOKEN'],
  ...CONTEXT,
];
/** A token cannot create another one. */
const BY_PASSWORD = REMOTE.filter((name) => !/token|context/i.test(name));
const LOCAL = ['--data-dir', 'SLIPWAY_DATA_DIR'];

/** The names of commands that have only some of them. */
const PARTICULAR: Readonly<Record<string, readonly string[]>> = {
  'token create': BY_PASSWORD,
  login: ['--user', '--password', '--token-stdin', '--context', '--ca-file', 'SLIPWAY_USER'],
  logout: ['--context'],
};

/** A command that takes the address of its server takes all that belongs to it; the same of a data directory. */
function sharedNames({ name, flags }: Command): readonly string[] {
  return PARTICULAR[name] ?? [...('url' in flags ? REMOTE : []), ...('data-dir' in flags ? LOCAL : [])];
}

for (const command of COMMANDS) {
  const names = sharedNames(command);
  if (names.length === 0) continue;
  test(`the help of ${command.name} lists the flags and variables that commands have in common`, async () => {
    const { status, out } = await slipway([...command.name.split(' '), '--help']);
    assert.equal(status, 0);
    for (const name of names) assert.ok(out.includes(name), name);
  });
}

describe('the data directory', () => {
  const directory = '/called-here';

  test('comes from the flag, the variable or the default', () => {
    assert.equal(dataDirOf('/flag', { environment: { SLIPWAY_DATA_DIR: '/variable' }, directory }), '/flag');
    assert.equal(dataDirOf('flag', { environment: {}, directory }), resolve(directory, 'flag'));
    assert.equal(dataDirOf(undefined, { environment: { SLIPWAY_DATA_DIR: '/variable' }, directory }), '/variable');
    assert.equal(dataDirOf(undefined, { environment: { SLIPWAY_DATA_DIR: '' }, directory }), resolve('./data'));
  });

  test('is read by audit verify', async () => {
    const err = `There is no database ${join(folder, 'slipway.db')}.\n`;
    for (const [args, environment] of [
      [['--data-dir', folder], {}],
      [[], { SLIPWAY_DATA_DIR: folder }],
    ] as const) {
      const ending = await slipway(['audit', 'verify', ...args], { environment });
      assert.deepEqual([ending.status, ending.err], [2, err]);
    }
  });
});
