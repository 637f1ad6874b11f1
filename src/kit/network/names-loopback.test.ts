import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesLoopback } from './names-loopback.ts';

test('the loopback of this machine is recognized in every spelling of an address', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'a.localhost',
    'localhost.',
    '127.0.0.1',
    '127.9.9.9',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '0',
  ])
    assert.ok(namesLoopback(new URL(`http://${host}/`).hostname), host);
  for (const host of ['localhost.example.org', 'mylocalhost', '10.0.0.1', '[fd00::1]', 'docker.example.org'])
    assert.ok(!namesLoopback(new URL(`http://${host}/`).hostname), host);
});
