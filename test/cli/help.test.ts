// The help: every command is in it, and the page in docs/ says the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandLinePage, PAGE } from '../../tools/command-line-page.ts';
import { slipway } from '../support/server/command-line.ts';

const root = join(import.meta.dirname, '..', '..');

test('--help lists all commands with one line each, in groups', async () => {
  for (const args of [['--help'], ['-h'], ['help'], ['nonsense', '--help']]) {
    const { status, out, err } = await slipway(args);
    assert.deepEqual([status, err], [0, '']);
    for (const { name, summary, group } of COMMANDS) {
      assert.equal(out.split('\n').filter((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${summary}`)).length, 1, name);
      assert.ok(out.includes(`\n${group}\n`), group);
    }
  }
});

test('--help has examples to begin with', async () => {
  const { out } = await slipway(['--help']);
  assert.match(out, /\nBegin with\n {2}# log in; .*\n {2}npm run slipway -- login https/);
  assert.doesNotMatch((await slipway(['user', '--help'])).out, /Begin with/);
});

test('--help after the first word of some commands lists these', async () => {
  const { out } = await slipway(['user', '--help']);
  assert.match(out, /^ {2}user passwd NAME {2}/m);
  assert.doesNotMatch(out, /restore/);
});

test('help before a command is the same as --help after it', async () => {
  assert.deepEqual(await slipway(['help', 'user', 'add']), await slipway(['user', 'add', '--help']));
});

test('--version prints the version, the commit and the API version', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { status, out } = await slipway(['--version']);
  assert.equal(status, 0);
  assert.match(out, new RegExp(`^Slipway ${version.replaceAll('.', '\\.')} \\(commit \\w+, API version [\\d.]+\\)\\n$`));
});

test('the program without a command prints the help as an error, and ends with 2', async () => {
  const { status, out, err } = await slipway([]);
  assert.deepEqual([status, out, err], [2, '', (await slipway(['--help'])).out]);
});

describe('the help of each command', () => {
  for (const { name, arguments: args = [], flags, exits, examples, wrongUse, summary } of COMMANDS) {
    test(`the help of ${name} is complete`, async () => {
      const { status, out } = await slipway([...name.split(' '), 'anything', '--help']);
      assert.equal(status, 0);
      assert.ok(out.startsWith(`Usage: npm run slipway -- ${name}`));
      for (const one of args) assert.ok(out.includes(`  ${one.name} `), one.name);
      for (const flag of Object.keys(flags)) assert.match(out, new RegExp(`^ {2}(?:-\\w, )?--${flag} `, 'm'));
      for (const code of Object.keys(exits)) assert.match(out, new RegExp(`^ {2}${code} {2}\\S`, 'm'));
      for (const line of out.split('\n').filter((text) => !text.startsWith('  npm run'))) assert.ok(line.length <= 100, line);
      assert.ok(String(wrongUse) in exits);
      assert.ok(examples.length > 0 && examples.every((one) => one.command.startsWith(name)));
      assert.doesNotMatch(summary, /^[A-Z]|\.$/);
    });
  }

  test('fits a narrow terminal', async () => {
    const { out } = await slipway(['user', 'add', '--help'], { columns: 60 });
    for (const line of out.split('\n').filter((text) => !/^(?: {2}(?:npm|#)|Usage:)/.test(text))) assert.ok(line.length <= 60, line);
  });
});

test('docs/command-line.md matches the declarations', () => {
  assert.equal(readFileSync(PAGE, 'utf8'), commandLinePage(), 'Write it anew: node tools/command-line-page.ts');
});
