// The flags and variables that commands have in common: each is in the help, and each is understood.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { readArguments } from '../../src/cli/arguments.ts';
import { runAudit } from '../../src/cli/audit.ts';
import { runExport } from '../../src/cli/export.ts';
import { runPlan } from '../../src/cli/plan.ts';
import { runRestore } from '../../src/cli/restore.ts';
import { dataDirOf, type Environment } from '../../src/cli/target.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-names-test-'));
after(() => rmSync(folder, { recursive: true }));

const REMOTE = ['--url', '--user', '--password', '--token', 'SLIPWAY_URL', 'SLIPWAY_USER', 'SLIPWAY_PASSWORD', 'SLIPWAY_TOKEN'];
const LOCAL = ['--data-dir', 'SLIPWAY_DATA_DIR'];

async function said(run: (streams: { out(text: string): void; err(text: string): void }) => Promise<number>) {
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  return { status: await run({ out: add, err: add }), text };
}

async function helpOfExport(): Promise<string> {
  let text = '';
  const out = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  });
  await runExport(['--help'], {}, { out, err: () => {} });
  return text;
}

async function helpOfPlan(verb: 'plan' | 'apply'): Promise<string> {
  const paint = (_: unknown, text: string) => text;
  return (await said((streams) => runPlan(verb, ['--help'], {}, { ...streams, paint, paintError: paint }))).text;
}

const help: Readonly<Record<string, () => Promise<string>>> = {
  import: async () => {
    const verdict = readArguments(['import', '--help'], {});
    return 'help' in verdict ? verdict.help : '';
  },
  plan: () => helpOfPlan('plan'),
  apply: () => helpOfPlan('apply'),
  export: helpOfExport,
  restore: async () => (await said((streams) => runRestore(['--help'], {}, streams))).text,
  'audit verify': async () => (await said((streams) => runAudit(['verify', '--help'], {}, streams))).text,
};

for (const [command, names] of [
  ['import', [...REMOTE, ...LOCAL]],
  ['plan', REMOTE],
  ['apply', REMOTE],
  ['export', REMOTE],
  ['restore', LOCAL],
  ['audit verify', LOCAL],
] as const) {
  test(`the help of ${command} has them`, async () => {
    const text = await help[command]!();
    for (const name of names) assert.ok(text.includes(name), name);
  });
}

describe('the data directory', () => {
  test('is that of the flag, of the variable, or the usual one', () => {
    assert.equal(dataDirOf('/flag', { SLIPWAY_DATA_DIR: '/variable' }), '/flag');
    assert.equal(dataDirOf(undefined, { SLIPWAY_DATA_DIR: '/variable' }), '/variable');
    assert.equal(dataDirOf(undefined, { SLIPWAY_DATA_DIR: '' }), resolve('./data'));
  });

  test('is what audit verify looks into', async () => {
    const verify = (args: readonly string[], environment: Environment) =>
      said((streams) => runAudit(['verify', ...args], environment, streams));
    const missing = { status: 2, text: `There is no database ${join(folder, 'slipway.db')}.\n` };
    assert.deepEqual(await verify(['--data-dir', folder], {}), missing);
    assert.deepEqual(await verify([], { SLIPWAY_DATA_DIR: folder }), missing);
  });
});
