import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf } from './unread-answers.ts';

function socketWith(bytesWritten: number, writableLength: number) {
  const socket = { bytesWritten, writableLength, isOpen: true, destroy: () => Object.assign(socket, { isOpen: false }) as never };
  return socket;
}

/** Looks at the same state so many times. */
function looked(times: number, socket: ReturnType<typeof socketWith>) {
  let progress = { sent: 0, looks: 0 };
  for (let look = 0; look <= times; look++) progress = progressOf(socket, progress);
  return socket.isOpen;
}

test('a connection whose answer is not read is ended after a while', () => {
  assert.equal(looked(3, socketWith(500, 400)), true);
  assert.equal(looked(4, socketWith(500, 400)), false);
});

test('one with nothing to be read stays, however long', () => {
  assert.equal(looked(100, socketWith(500, 0)), true);
});

test('one that is read slowly stays', () => {
  let progress = { sent: 0, looks: 0 };
  for (let sent = 1; sent < 100; sent++) {
    const socket = socketWith(1000, 1000 - sent);
    progress = progressOf(socket, progress);
    assert.ok(socket.isOpen);
  }
});
