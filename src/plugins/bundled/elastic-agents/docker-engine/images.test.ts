// Tests how images are named, and how a failure is read from the progress of a pull.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureIn, nameAndTag } from './images.ts';

test('the tag of an image, if it has none: the latest', () => {
  assert.deepEqual(nameAndTag('alpine'), { name: 'alpine', tag: 'latest' });
  assert.deepEqual(nameAndTag('alpine:3'), { name: 'alpine', tag: '3' });
  assert.deepEqual(nameAndTag('registry:5000/agents/node'), { name: 'registry:5000/agents/node', tag: 'latest' });
  assert.deepEqual(nameAndTag('registry:5000/node:22'), { name: 'registry:5000/node', tag: '22' });
  assert.deepEqual(nameAndTag('node@sha256:abc'), { name: 'node@sha256:abc' });
});

test('a pull that failed says so in a line of its progress', () => {
  assert.equal(failureIn('{"status":"Pulling"}\r\n{"status":"Done"}\r\n'), undefined);
  assert.equal(failureIn('{"status":"Pulling"}\r\n{"errorDetail":{"message":"no"},"error":"no"}\r\n'), 'no');
  assert.equal(failureIn('{"error'), undefined);
});
