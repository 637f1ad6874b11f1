import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownCommits } from './known-commits.ts';

const at = (commit: number) => ({ commit, revision: commit, event: 0, event_hash: '' });

test('a database that has gone back takes own writes with it', async () => {
  const known = new KnownCommits();
  known.beginAt(at(3));
  known.own = at(4);
  known.advanceToOwn();
  assert.equal(known.position.commit, 4);
  known.follower = { follow: async () => {}, reload: async () => known.beginAt(at(2)) };
  await known.apply('gone back');
  known.advanceToOwn();
  assert.equal(known.position.commit, 2);
});

test('memory that could not be loaded whole is not taken for new', async () => {
  const known = new KnownCommits();
  known.beginAt(at(4));
  const reload = async () => {
    known.beginAt(at(2));
    throw new Error('lost in between');
  };
  known.follower = { follow: async () => {}, reload };
  await assert.rejects(known.apply('gone back'), /lost in between/);
  assert.equal(known.position.commit, 4);
});
