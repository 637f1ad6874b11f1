import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTlsResult } from './start-tls.ts';

const answer = (...bytes: number[]) => Buffer.from([0x30, 5 + bytes.length, 0x02, 1, 1, 0x78, bytes.length, ...bytes]);
const SUCCESS = answer(0x0a, 1, 0, 0x04, 0, 0x04, 0);

test('the result code is read, with lengths in one octet or in several', () => {
  assert.equal(startTlsResult(SUCCESS), 0);
  assert.equal(startTlsResult(answer(0x0a, 1, 53, 0x04, 0, 0x04, 0)), 53);
  const inFour = Buffer.from([0x30, 0x84, 0, 0, 0, 16, 0x02, 1, 1, 0x78, 0x84, 0, 0, 0, 7, 0x0a, 1, 0, 0x04, 0, 0x04, 0]);
  assert.equal(startTlsResult(inFour), 0);
});

test('a part of the answer is waited for', () => {
  for (let length = 0; length < SUCCESS.length; length++) assert.equal(startTlsResult(SUCCESS.subarray(0, length)), undefined, `${length}`);
});

test('clear text after the answer is refused: it would be read as if the server had sent it encrypted', () => {
  assert.throws(() => startTlsResult(Buffer.concat([SUCCESS, Buffer.from([0x30])])), /cannot be read/);
});

test('anything else is refused', () => {
  const others: Record<string, Buffer> = {
    'another message': Buffer.from([0x30, 12, 0x02, 1, 2, 0x78, 7, 0x0a, 1, 0, 0x04, 0, 0x04, 0]),
    'an answer to a bind': Buffer.from([0x30, 12, 0x02, 1, 1, 0x61, 7, 0x0a, 1, 0, 0x04, 0, 0x04, 0]),
    'no sequence': Buffer.from([0x31, 0]),
    nothing: Buffer.from([0x30, 0]),
    'a code of no octet': answer(0x0a, 0),
    'a response that is longer than its message': Buffer.from([0x30, 8, 0x02, 1, 1, 0x78, 9, 0x0a, 1, 0]),
    'a length without end': Buffer.from([0x30, 0x80]),
    'a web server': Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.padEnd(200)),
  };
  for (const [what, bytes] of Object.entries(others)) assert.throws(() => startTlsResult(bytes), /cannot be read/, what);
});
