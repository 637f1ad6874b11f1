// Tests how the description of an external plugin is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from './manifest.ts';

const MINIMAL = { protocol: 1, id: 'a.b', version: '1', command: ['run'], capabilities: ['parse'], patterns: { file_pattern: '**/*.x' } };
const read = (more: object) => readManifest(JSON.stringify({ ...MINIMAL, ...more }));

test('optional members have default values', () => {
  assert.deepEqual(read({}), {
    id: 'a.b',
    version: '1',
    name: 'a.b',
    description: '',
    vendor: '',
    command: ['run'],
    canExport: false,
    patterns: { file_pattern: '**/*.x' },
    settings: [],
    seconds: 30,
    megabytes: 1024,
  });
});

test('each mistake names its member', () => {
  for (const [more, message] of [
    [{ protocol: 2 }, 'protocol has to be 1.'],
    [{ id: '../x' }, /^id may have letters/],
    [{ id: '.x' }, /^id may have letters/],
    [{ version: 1 }, /^version has to be a text/],
    [{ version: ' ' }, /^version has to be a text/],
    [{ name: 'x'.repeat(1001) }, /^name has to be a text of at most 1000 characters/],
    [{ command: 'run me' }, /^command has to be a list/],
    [{ command: [] }, 'command has to begin with the program.'],
    [{ command: ['--rm'] }, 'command has to begin with the program.'],
    [{ command: ['a', 'b\0'] }, 'command has a NUL character in it.'],
    [{ capabilities: [] }, 'capabilities has to have parse.'],
    [{ capabilities: ['parse', 'fly'] }, 'capabilities has fly; possible are parse, export.'],
    [{ patterns: {} }, /^patterns has to name at least one/],
    [{ patterns: { a: 1 } }, /^a has to be a text/],
    [{ settings: [{ key: 'x' }] }, /^settings has to be a list/],
    [{ limits: { seconds: 0 } }, 'limits.seconds has to be a whole number from 1 to 300.'],
    [{ limits: { megabytes: 1e9 } }, 'limits.megabytes has to be a whole number from 1 to 8192.'],
    [{ limits: { minutes: 1 } }, 'limits.minutes is not known; possible are seconds, megabytes.'],
    [{ comand: [] }, /^comand is not known; possible are protocol, id,/],
  ] as const)
    assert.throws(() => read(more), { message }, JSON.stringify(more));
  assert.throws(() => readManifest('{'), /It is not JSON/);
  assert.throws(() => readManifest('[]'), /It has to be a JSON object/);
});
