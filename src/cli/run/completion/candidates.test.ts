// Tests the candidates for the last word of a command line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../terminal/command.ts';
import { completionOf } from './candidates.ts';

const declare = (name: string, more: object = {}) =>
  command({
    name,
    group: 'Resources',
    summary: `about ${name}`,
    flags: {
      output: { value: 'FORMAT', short: 'o', choices: ['json', 'yaml'], about: 'how' },
      context: { value: 'NAME', about: 'which', offers: 'context' },
      all: { about: 'all' },
    },
    examples: [],
    exits: {},
    wrongUse: 2,
    load: async () => async () => 0,
    ...more,
  });
const RESOURCE = { name: 'RESOURCE', about: 'which', offers: 'resource' } as const;
const COMMANDS = [
  declare('agents'),
  declare('agents enable', { arguments: [{ name: 'AGENT', about: 'which', offers: 'agent', isRepeated: true }] }),
  declare('get', { arguments: [RESOURCE, { name: 'ID', about: 'which one', offers: 'id' }] }),
  declare('context use', { arguments: [{ name: 'NAME', about: 'which', offers: 'context' }] }),
  declare('context list'),
];
const wanted = (line: string) => completionOf(COMMANDS, line.split(' '));
const offered = (line: string) => wanted(line).candidates.map(({ word }) => word);

test('commands are offered by their first and second words', () => {
  assert.deepEqual(offered(''), ['agents', 'get', 'context']);
  assert.deepEqual(offered('context '), ['use', 'list']);
  assert.deepEqual(offered('agents '), ['enable']);
  assert.deepEqual(offered('nonsense '), []);
  assert.deepEqual(offered('--'), ['--help', '--version']);
});

test('options and their values are offered', () => {
  assert.deepEqual(offered('get -'), ['--output', '--context', '--all', '--no-color', '--help']);
  assert.deepEqual(offered('get -o '), ['json', 'yaml']);
  assert.deepEqual(offered('get --output '), ['json', 'yaml']);
  assert.equal(wanted('get --context ').offer, 'context');
});

test('arguments are offered wherever options stand', () => {
  assert.deepEqual([wanted('get ').offer, wanted('get ').before], ['resource', []]);
  const second = wanted('get --all -o json environments --context=lab ');
  assert.deepEqual([second.offer, second.before, second.given], ['id', ['environments'], { output: 'json', context: 'lab' }]);
  assert.equal(wanted('get environments prod ').offer, undefined);
  assert.equal(wanted('agents enable one two ').offer, 'agent');
  assert.equal(wanted('context use ').offer, 'context');
});
