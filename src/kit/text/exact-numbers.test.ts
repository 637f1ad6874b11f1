import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalIn, withExactNumbers } from './exact-numbers.ts';

function read(text: string): unknown {
  return withExactNumbers(JSON.parse(text) as unknown, text);
}

test('a number that reads differently once it is parsed stays the text it was', () => {
  const written = '{"a":[12345678901234567890,1.10 , 1.0,-0,1E400,1e5,25e-1,0.1234567890123456789],"b": {"c":\n-2.50}}';
  assert.deepEqual(read(written), {
    a: ['12345678901234567890', '1.10', '1.0', '-0', '1E400', '1e5', '25e-1', '0.1234567890123456789'],
    b: { c: '-2.50' },
  });
});

test('quotes and digits in texts and names stay as they are', () => {
  const written = String.raw`{"a 1.10":"x\\","b":1.10,"c":"\"1.10,","d\\\"2.0":[2.0,"\\\\"]}`;
  assert.deepEqual(read(written), { 'a 1.10': 'x\\', b: '1.10', c: '"1.10,', 'd\\"2.0': ['2.0', '\\\\'] });
});

test('other numbers are read as numbers', () => {
  const numbers = { a: [0, -1, 8153, 9007199254740991, 1.5, -0.25, 1e-7, 1e21], text: ', 1.10 and [2.0', flag: true, none: null };
  assert.deepEqual(read(JSON.stringify(numbers)), numbers);
});

test('a value without such numbers is returned as it is', () => {
  const parsed = { a: [{ key: 'version 1.0', value: 12 }] };
  assert.equal(withExactNumbers(parsed, JSON.stringify(parsed)), parsed);
});

test('members with special names are members here, too', () => {
  assert.deepEqual(Object.entries(read('{"__proto__":1.10}') as object), [['__proto__', '1.10']]);
});

test('a number in a text is one that a person would read there', () => {
  assert.deepEqual([' 25 ', '+5', '-0.50', '.5', '5.', '25.0', '1e3', '25E-1'].map(decimalIn), [25, 5, -0.5, 0.5, 5, 25, 1000, 2.5]);
  for (const none of ['', ' ', '.', '0x19', '0b1', '0o7', 'e3', '1e', '1_000', '4,5', 'Infinity', 'NaN', '٣', '1f', '--1'])
    assert.ok(Number.isNaN(decimalIn(none)), none);
});
