import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsIn } from '../processes/proc.ts';
import { commandOf, describeTask } from './command-of.ts';
import { staysBelow } from './contained-paths.ts';
import { splitArguments, UnclosedQuote } from './split-arguments.ts';

describe('a line of arguments', () => {
  for (const [line, args] of [
    ['', []],
    ['  a  b\tc\n', ['a', 'b', 'c']],
    [`"a b" 'c d' e" "f`, ['a b', 'c d', 'e f']],
    [`'' ""`, ['', '']],
    [String.raw`a\ b \"c\" "d\"e" "f\g" '\h'`, ['a b', '"c"', 'd"e', String.raw`f\g`, String.raw`\h`]],
    ['$HOME `x` ; | > *', ['$HOME', '`x`', ';', '|', '>', '*']],
    ['a\\', ['a\\']],
  ] as const)
    test(`the line of arguments ${JSON.stringify(line)} is split`, () => assert.deepEqual(splitArguments(line), args));

  test('a line of arguments with an open quote is refused', () => assert.throws(() => splitArguments(`a 'b`), UnclosedQuote));
});

describe('the program of a task', () => {
  const common = { build_file: 'b.xml', target: 't1 t2', working_directory: '' };

  for (const [name, task, program, args] of [
    ['nant', { type: 'nant', nant_path: '/opt/nant/', ...common }, '/opt/nant/nant', ['-buildfile:b.xml', 't1', 't2']],
    ['ant', { type: 'ant', ...common, build_file: null, target: null }, 'ant', []],
    ['script', { type: 'script', script: 'a\nb', shell: 'bash -e', working_directory: null }, 'bash', ['-e', '-c', 'a\nb']],
    ['exec', { type: 'exec', command: 'make', arguments: '-j 2', working_directory: null }, 'make', ['-j', '2']],
  ] as const)
    test(`the program of the task ${name}`, () => {
      const command = commandOf(task, 'linux');
      assert.deepEqual([command.program, command.arguments, command.workingDirectory], [program, args, null]);
      assert.ok(describeTask(task).length > 0);
    });

  test('a secret script is not shown', () => {
    const task = { type: 'script', script: 'echo hidden', shell: null, working_directory: null } as const;
    assert.equal(describeTask(task), 'echo hidden');
    assert.equal(describeTask({ ...task, is_secret: true }), 'a secret script');
  });

  test('a task of a newer server is refused', () => {
    const task = JSON.parse('{ "type": "bake" }');
    assert.equal(describeTask(task), 'a task that cannot be run');
    assert.throws(() => commandOf(task, 'linux'), /does not know tasks of the type bake: update the agent/);
  });

  test('on Windows the command processor finds the program', () => {
    const { program, arguments: args } = commandOf({ type: 'rake', ...common, build_file: null }, 'win32');
    assert.deepEqual([program, args], ['cmd', ['/s', '/c', 'rake', 't1', 't2']]);
  });
});

test('a path that stays below its folder is told from one that leads out', () => {
  for (const path of ['a', 'a/../b', './a', '..a', 'a/..']) assert.equal(staysBelow(path), true, path);
  for (const path of ['..', '../a', 'a/../../b', '/a', 'C:\\a', '..\\a']) assert.equal(staysBelow(path), false, path);
});

test('the name of a program may look like the facts about it', () => {
  const fields = ['S', 5, 6, 7, ...Array.from({ length: 15 }, () => 0), 99, 1].join(' ');
  const expected = { pid: 4, parent: 5, group: 6, session: 7, started: 99, isDead: false };
  assert.deepEqual(factsIn(4, `4 (a) Z 1 (b) ${fields}`), expected);
});
