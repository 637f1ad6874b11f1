// Tests how a command line is read, and the messages about wrong ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Command, command } from './command.ts';
import { UsageError } from './failures.ts';
import { findCommand, parseFlags, unknownCommand } from './parse.ts';

const declared = (name: string, args: Command['arguments'] = []): Command =>
  command({
    name,
    group: 'Operation',
    summary: 'do something',
    arguments: args,
    flags: {
      plan: { about: 'only show it' },
      'data-dir': { value: 'DIR', about: 'where' },
      set: { value: 'NAME=VALUE', about: 'a variable', isRepeated: true },
    },
    examples: [],
    exits: { 0: 'done' },
    wrongUse: 2,
    load: async () => async () => 0,
  });

const FILE = { name: 'FILE', about: 'the file' };
const one = declared('import', [FILE]);
const many = declared('apply', [{ ...FILE, isRepeated: true }]);
const COMMANDS = [one, many, declared('user add'), declared('user passwd'), declared('audit verify')];
const NOWHERE = { environment: {}, directory: '/', input: process.stdin, out: process.stdout, err: process.stderr };
const split = (text: string) => text.split(' ').filter(Boolean);

test('a command has one word or two', () => {
  assert.deepEqual(findCommand(COMMANDS, split('import a.xml --plan')), { command: one, rest: ['a.xml', '--plan'] });
  assert.equal(findCommand(COMMANDS, split('user add alice'))?.command.name, 'user add');
  assert.equal(findCommand(COMMANDS, split('user')), undefined);
  assert.equal(findCommand(COMMANDS, []), undefined);
});

for (const [text, message] of [
  ['', 'Name a command.'],
  ['--url x import', 'Unknown option --url. The command comes first.'],
  ['--verison', 'Unknown option --verison. Did you mean --version?'],
  ['--hlep', 'Unknown option --hlep. Did you mean --help?'],
  ['version', 'Unknown command version. Did you mean --version?'],
  ['impotr a.xml', 'Unknown command impotr. Did you mean import?'],
  ['user', 'Name the whole command: user add, user passwd.'],
  ['user --plan', 'Name the whole command: user add, user passwd.'],
  ['user ad', 'Unknown command user ad. Did you mean user add?'],
  ['user paswd alice', 'Unknown command user paswd. Did you mean user passwd?'],
  ['user fire alice', 'Unknown command user fire. There are: user add, user passwd.'],
  ['usr add alice', 'Unknown command usr. Did you mean user add?'],
  ['audti', 'Unknown command audti. Did you mean audit?'],
  ['something', 'Unknown command something.'],
] as const) {
  test(`«${text}» is no command`, () => assert.equal(unknownCommand(COMMANDS, split(text)), message));
}

describe('flags and words', () => {
  const read = (from: Command, text: string) => {
    const { texts, positionals: given } = parseFlags(from, split(text));
    return [Object.fromEntries(texts), given];
  };

  test('are read in any order, with the value of a flag after it or after a =', () => {
    assert.deepEqual(read(one, 'a.xml'), [{}, ['a.xml']]);
    assert.deepEqual(read(one, '--plan --data-dir x a.xml'), [{ plan: true, 'data-dir': 'x' }, ['a.xml']]);
    assert.deepEqual(read(one, 'a.xml --data-dir=-x'), [{ 'data-dir': '-x' }, ['a.xml']]);
    assert.deepEqual(read(one, '--data-dir - -- --plan'), [{ 'data-dir': '-' }, ['--plan']]);
    assert.deepEqual(read(many, 'a b c'), [{}, ['a', 'b', 'c']]);
  });

  test('repeated: a repeatable flag has all its values, any other flag the last', () => {
    assert.deepEqual(read(one, 'a --set b=1 --set c=2 --set=-d'), [{ set: ['b=1', 'c=2', '-d'] }, ['a']]);
    assert.deepEqual(read(one, 'a --set b=1'), [{ set: ['b=1'] }, ['a']]);
    assert.deepEqual(read(one, 'a --data-dir x --data-dir y'), [{ 'data-dir': 'y' }, ['a']]);
  });

  test('not given: a repeatable flag is an empty list', async () => {
    let received: unknown;
    const repeated = { set: { value: 'NAME=VALUE', about: 'a variable', isRepeated: true } } as const;
    const { run } = command({
      ...declared('x'),
      flags: repeated,
      load:
        async () =>
        async ({ values }) => {
          received = values;
          return 0;
        },
    });
    await run(new Map(), [], NOWHERE);
    assert.deepEqual(received, { set: [] });
  });

  test('an empty word names nothing', () => {
    assert.throws(() => parseFlags(one, ['']), new UsageError('FILE is empty.'));
    assert.throws(() => parseFlags(many, ['a', '']), new UsageError('FILE is empty.'));
  });

  for (const [text, message] of [
    ['', 'FILE is missing: the file.'],
    ['a b c', 'Unexpected: b c.'],
    ['a --plam', 'Unknown option --plam. Did you mean --plan?'],
    ['a --datadir x', 'Unknown option --datadir. Did you mean --data-dir?'],
    ['a --colour', 'Unknown option --colour.'],
    ['a -p', 'Unknown option -p.'],
    ['a --constructor', 'Unknown option --constructor.'],
    ['a --data-dir', 'The option --data-dir needs a value: DIR.'],
    ['a --set', 'The option --set needs a value: NAME=VALUE.'],
    ['a --data-dir --plan', 'The option --data-dir needs a value: DIR.'],
    ['a --plan=yes', 'The option --plan takes no value.'],
  ] as const) {
    test(`«${text}» is wrong`, () =>
      assert.throws(
        () => parseFlags(one, split(text)),
        (failure) => {
          assert.ok(failure instanceof UsageError);
          assert.equal(failure.message, message);
          return true;
        },
      ));
  }
});
