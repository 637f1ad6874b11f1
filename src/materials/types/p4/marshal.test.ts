import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DictionaryReader } from './marshal.ts';

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(5);
  head.write('s');
  head.writeInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
const number = (value: number) => Buffer.concat([Buffer.from('i'), Buffer.from(Int32Array.of(value).buffer)]);
const dictionary = (...parts: Buffer[]) => Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('0')]);

const BYTES = Buffer.concat([
  dictionary(text('code'), text('stat'), text('desc'), text('ü {s0 \n'), text('severity'), number(3)),
  dictionary(),
  dictionary(text('long'), text('x'.repeat(5000))),
]);
const EXPECTED = [
  new Map([
    ['code', 'stat'],
    ['desc', 'ü {s0 \n'],
    ['severity', '3'],
  ]),
  new Map(),
  new Map([['long', 'x'.repeat(5000)]]),
];

test('dictionaries are read in chunks of any size', () => {
  for (const size of [1, 3, 7, 1000, BYTES.length]) {
    const reader = new DictionaryReader();
    const found = [];
    for (let at = 0; at < BYTES.length; at += size) found.push(...reader.take(BYTES.subarray(at, at + size)));
    assert.deepEqual([...found, ...reader.rest()], EXPECTED, `${size}`);
  }
});

test('output that is cut off or of another kind is refused', () => {
  const reader = new DictionaryReader();
  reader.take(BYTES.subarray(0, 20));
  assert.throws(() => reader.rest(), /ends too early/);
  assert.throws(() => new DictionaryReader().take(Buffer.from('Perforce client error')), /cannot be read/);
});
