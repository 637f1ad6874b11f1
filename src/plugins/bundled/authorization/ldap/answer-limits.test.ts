import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerPieces } from './answer-limits.ts';

const MESSAGE = Buffer.from([0x30, 5, 0x02, 1, 2, 0x73, 0]);
const LONG = Buffer.concat([Buffer.from([0x30, 0x82, 1, 0]), Buffer.alloc(256)]);
const LIMITS = { bytes: 1000, messages: 20, together: 3 };
const messages = (count: number) => Buffer.concat(Array.from({ length: count }, () => MESSAGE));

test('few messages are handed on together, and nothing is lost, wherever the network cuts', () => {
  const sent = Buffer.concat([messages(4), LONG, messages(7)]);
  for (const size of [1, 2, 3, 10, sent.length]) {
    const pieces = new AnswerPieces(LIMITS);
    const received: Buffer[] = [];
    for (let at = 0; at < sent.length; at += size) received.push(...pieces.cut(sent.subarray(at, at + size)));
    assert.deepEqual(Buffer.concat(received), sent, `${size}`);
  }
  assert.deepEqual(
    new AnswerPieces(LIMITS).cut(messages(7)).map((piece) => piece.length / MESSAGE.length),
    [3, 3, 1],
  );
});

test('too many messages, too many bytes and a message that is too long are refused', () => {
  const refused = (...chunks: Buffer[]) => {
    const pieces = new AnswerPieces(LIMITS);
    assert.throws(() => {
      for (const chunk of chunks) pieces.cut(chunk);
    }, /more than it was asked for/);
  };
  refused(messages(21));
  refused(messages(20), MESSAGE);
  refused(LONG, LONG, LONG, LONG);
  refused(Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]));
});

test('bytes that are no LDAP are refused', () => {
  assert.throws(() => new AnswerPieces(LIMITS).cut(Buffer.from('HTTP/1.1 200 OK')), /no LDAP/);
  assert.throws(() => new AnswerPieces(LIMITS).cut(Buffer.from([0x30, 0x80])), /cannot be read/);
});
