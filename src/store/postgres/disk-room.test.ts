// Whether the disk of PostgreSQL counts as full: until the database itself says something else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionLost } from './connection.ts';
import { DiskRoom } from './disk-room.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code, severity: 'ERROR' });

test('a disk is full from a refusal on, also while the database is away, until it has given room', async () => {
  const reported: boolean[] = [];
  const room = new DiskRoom((isFull) => reported.push(isFull));
  const lookWith = (failure?: Error) => room.look(() => (failure ? Promise.reject(failure) : Promise.resolve(undefined as never)));
  room.noteFailure(refusal('23505'));
  await lookWith(refusal('53100'));
  assert.deepEqual([room.isFull, reported], [false, []], 'nobody is asked while it has room');
  room.noteFailure(refusal('53100'));
  room.noteFailure(refusal('53100'));
  for (const failure of [refusal('53100'), new ConnectionLost(new Error('cut off')), new Error('no connection in time')]) {
    await lookWith(failure);
    assert.deepEqual([room.isFull, reported], [true, [true]], failure.message);
  }
  await lookWith();
  assert.deepEqual([room.isFull, reported], [false, [true, false]]);
  room.noteFailure(refusal('53100'));
  await lookWith(refusal('42501'));
  assert.deepEqual([room.isFull, reported.length], [false, 4], 'a user without the right to ask learns it from the next write');
});
