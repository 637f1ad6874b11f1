import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignedWith } from './align.ts';
import { applyDelta } from './apply-delta.ts';
import { makeDelta } from './delta.ts';
import type { Chunks } from './objects.ts';

const text = (chunks: Chunks) => Buffer.concat(chunks);

function roundTrip(base: Chunks, target: Chunks): Buffer {
  const delta = makeDelta(base, target);
  const result = text(applyDelta(base, delta));
  assert.ok(result.equals(text(target)));
  return delta;
}

test('a delta gives the target, also when chunks were moved, changed, repeated or left out', () => {
  const chunk = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  const lists = fc.array(chunk, { maxLength: 12 }).chain((pool) => {
    const other = fc.oneof(chunk, ...(pool.length > 0 ? [fc.constantFrom(...pool), touched(fc.constantFrom(...pool))] : []));
    return fc.tuple(fc.constant(pool), fc.array(other, { maxLength: 12 }));
  });
  fc.assert(fc.property(lists, ([base, target]) => void roundTrip(base, target)));
});

function touched(chunks: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc.tuple(chunks, fc.nat(400), fc.nat(255)).map(([chunk, at, byte]) => {
    const copy = Buffer.from(chunk);
    if (at < copy.length) copy[at] = byte;
    return copy;
  });
}

test('one changed word among much that stays takes a few bytes', () => {
  const base = Array.from({ length: 400 }, (_, index) => Buffer.from(`<a n="${index}">${'x'.repeat(5000)}</a>\n`));
  const target = base.with(200, Buffer.from(base[200]!.toString().replace('xxx</a>', 'xyx</a>')));
  assert.ok(roundTrip(base, target).length < 40);
  assert.ok(roundTrip(base, base).length < 20);
});

test('changed neighbours are compared one by one', () => {
  const base = Array.from({ length: 10 }, (_, index) => Buffer.from(`${index} ${'long '.repeat(1000)} end ${index}`));
  const target = base.map((chunk) => Buffer.from(chunk.toString().replace('long long', 'long short')));
  assert.ok(roundTrip(base, target).length < 400);
});

test('copies of any length: around 64 KB, which has no size bytes in other writers, and above 16 MB, which takes two', () => {
  for (const size of [0xff, 0x100, 0xff_ff, 0x1_00_00, 0x1_00_01, 0xff_ff_ff, 0x1_00_00_00, 0x2_00_00_05]) {
    const large = Buffer.alloc(size, 'abcdefg');
    roundTrip([Buffer.from('before'), large], [large, Buffer.from('after')]);
  }
  const head = Buffer.from([0x80, 0x80, 0x04, 0x80, 0x80, 0x04]);
  const whole = Buffer.alloc(0x1_00_00, 'x');
  assert.ok(text(applyDelta([whole], Buffer.concat([head, Buffer.from([0x80])]))).equals(whole));
});

test('a delta for another base, a cut one and one that copies too much are refused', () => {
  const base = [Buffer.from('something to begin with')];
  const delta = makeDelta(base, [Buffer.from('something to begin anew')]);
  assert.throws(() => applyDelta([Buffer.from('else')], delta), /for a base of/);
  assert.throws(() => applyDelta(base, delta.subarray(0, delta.length - 1)), /should give/);
  assert.throws(() => applyDelta(base, delta.subarray(0, 0)), /ends in its head/);
  assert.throws(() => applyDelta([Buffer.from('abc')], Buffer.from([3, 9, 0x90, 9])), /beyond the end/);
});

test('bytes are cut like a model, and share the equal chunks with it', () => {
  const model: Chunks = ['one ', 'two ', 'three ', 'four '].map((word) => Buffer.from(word));
  const aligned = alignedWith(model, [Buffer.from('one two th'), Buffer.from('irty four ')]);
  assert.equal(String(text(aligned)), 'one two thirty four ');
  assert.deepEqual(
    [aligned[0], aligned[1], aligned[3]].map((chunk) => model.indexOf(chunk!)),
    [0, 1, 3],
  );
  for (const content of ['', 'one ', 'four ', 'one two three four ', 'one one two three four ', 'two two ', 'one four ']) {
    assert.equal(String(text(alignedWith(model, [Buffer.from(content)]))), content);
  }
});
