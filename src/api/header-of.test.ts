import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerOf } from './header-of.ts';

const request = { rawHeaders: ['Accept', 'a', 'HOST', 'one', 'accept', 'b', 'Host', 'two', 'X-Empty', ''] };

test('names are compared without their case; what comes twice is joined, or the first counts', () => {
  assert.equal(headerOf(request, 'accept'), 'a, b');
  assert.equal(headerOf(request, 'host'), 'one');
  assert.equal(headerOf(request, 'x-empty'), '');
  assert.equal(headerOf(request, 'origin'), undefined);
});
