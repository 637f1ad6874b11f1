import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NoForm, streamedParts } from './multipart-stream.ts';

const FORM = [
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="ü.txt"\r\n\r\n\r\n--y\r\n-\r\n--\r\n',
  '--x\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n',
  '--x--\r\n',
].join('');

async function* inPieces(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function read(text: string, bytes: number) {
  const found: string[][] = [];
  for await (const { name, filename, content } of streamedParts(inPieces(text, bytes), 'x')) {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    found.push([name ?? '', filename ?? '', Buffer.concat(pieces).toString()]);
  }
  return found;
}

describe('a form that comes piece by piece', () => {
  for (const bytes of [1, 2, 3, 7, 1000])
    test(`is the same in pieces of ${bytes} bytes`, async () => {
      const expected = [
        ['a', '', 'one'],
        ['file', 'ü.txt', '\r\n--y\r\n-\r\n--'],
        ['empty', '', ''],
      ];
      assert.deepEqual(await read(FORM, bytes), expected);
      assert.deepEqual(await read(`before\r\n${FORM}after`, bytes), expected);
    });

  test('has no parts where there are none', async () => assert.deepEqual(await read('--x--', 3), []));

  test('goes on after a part that the caller does not read, or not to its end', async () => {
    for (const max of [0, 1, 2]) {
      const names: (string | undefined)[] = [];
      for await (const { name, content } of streamedParts(inPieces(FORM, 5), 'x')) {
        names.push(name);
        let count = 0;
        if (max > 0) for await (const _ of content) if (++count >= max) break;
      }
      assert.deepEqual(names, ['a', 'file', 'empty']);
    }
  });

  test('has a thousand parts at most', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
    assert.equal((await read(`${part.repeat(1000)}--x--`, 65_536)).length, 1000);
    await assert.rejects(read(`${part.repeat(1001)}--x--`, 65_536), NoForm);
  });

  test('a form that is cut off anywhere is refused', async () => {
    for (let end = 0; end < FORM.length - 4; end++) await assert.rejects(read(FORM.slice(0, end), 1000), NoForm, `${end}`);
  });

  test('holds no more than a piece and a delimiter, and no head without end', async () => {
    await assert.rejects(read(`--x\r\nContent-Disposition: ${'y'.repeat(20_000)}\r\n\r\n1\r\n--x--`, 100), NoForm);
    let largest = 0;
    for await (const { content } of streamedParts(inPieces(`--x\r\n\r\n${'z'.repeat(100_000)}\r\n--x--`, 1000), 'x'))
      for await (const piece of content) largest = Math.max(largest, piece.length);
    assert.ok(largest <= 1010, `${largest}`);
  });
});
