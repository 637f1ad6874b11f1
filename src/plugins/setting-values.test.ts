// Tests how single settings are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlank, isDecimal, isInteger, isTrue, mustBeOneOf, mustNotBeBlank, plainFields, readText } from './setting-values.ts';

test('an absent setting reads as empty', () => {
  assert.equal(readText(new Map(), 'a'), '');
  assert.equal(readText(new Map([['a', ' x ']]), 'a'), ' x ');
});

test('blank is absent, empty or white space', () => {
  const values = new Map([
    ['empty', ''],
    ['white', ' \n'],
    ['full', 'x'],
  ]);
  assert.deepEqual(
    ['absent', 'empty', 'white', 'full'].map((key) => isBlank(values, key)),
    [true, true, true, false],
  );
  assert.deepEqual(mustNotBeBlank(values, ['white', 'full']), [{ key: 'white', message: 'white must not be blank.' }]);
});

for (const [text, expected] of [
  ['true', true],
  ['TRUE', true],
  ['false', false],
  ['yes', false],
  ['', false],
] as const) {
  test(`«${text}» is ${expected ? '' : 'not '}true`, () => assert.equal(isTrue(new Map([['a', text]]), 'a'), expected));
}

for (const [text, integer, decimal] of [
  ['0', true, true],
  ['-7', true, true],
  ['+7', true, true],
  ['1.5', false, true],
  ['.5', false, true],
  ['1e3', false, true],
  ['1.2.3', false, false],
  ['0x10', false, false],
  ['five', false, false],
  [' 5', false, false],
  ['', false, false],
] as const) {
  test(`«${text}» as a number`, () => assert.deepEqual([isInteger(text), isDecimal(text)], [integer, decimal]));
}

test('a setting must be one of its choices, or blank for the default', () => {
  const messagesFor = (text: string) => mustBeOneOf(new Map([['a', text]]), 'a', ['x', 'y']).map(({ message }) => message);
  assert.deepEqual([messagesFor('x'), messagesFor(''), messagesFor('X')], [[], [], ['Should be one of `x`, `y`.']]);
});

test('plain fields are neither required nor secret', () => {
  assert.deepEqual(plainFields('a', 'b'), [{ key: 'a' }, { key: 'b' }]);
});
