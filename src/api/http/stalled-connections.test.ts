import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf } from './stalled-connections.ts';

function socketWith(bytesWritten: number, writableLength: number) {
  const socket = { bytesWritten, writableLength, isOpen: true, destroy: () => Object.assign(socket, { isOpen: false }) as never };
  return socket;
}

/** Checks the same state so many times, and returns whether the connection is still open. */
function staysOpen(times: number, socket: ReturnType<typeof socketWith>) {
  let progress = { sent: 0, stalledChecks: 0 };
  for (let check = 0; check <= times; check++) progress = progressOf(socket, progress);
  return socket.isOpen;
}

test('a connection whose answer is not read is closed after a while', () => {
  assert.equal(staysOpen(3, socketWith(500, 400)), true);
  assert.equal(staysOpen(4, socketWith(500, 400)), false);
});

test('a connection with nothing to be read stays open, however long', () => {
  assert.equal(staysOpen(100, socketWith(500, 0)), true);
});

test('a connection whose answer is read slowly stays open', () => {
  let progress = { sent: 0, stalledChecks: 0 };
  for (let sent = 1; sent < 100; sent++) {
    const socket = socketWith(1000, 1000 - sent);
    progress = progressOf(socket, progress);
    assert.ok(socket.isOpen);
  }
});
