// Tests which waiting repos are found to help with obstacles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepoState } from '../../store/config-repos/states.ts';
import { helpersFor } from './joint-publishing.ts';
import type { PublishObstacle } from './obstacles.ts';

const states = new Map(['one', 'two', 'three'].map((repo) => [repo, { repo } as RepoState]));
const waiting = (...repos: string[]) => new Map(repos.map((repo) => [repo, states.get(repo)!]));

function helpers(obstacles: PublishObstacle[], preference: 'definer' | 'dependents' = 'definer'): string[] | undefined {
  const holders = new Map([['p', states.get('three')!]]);
  const found = helpersFor(obstacles, waiting('one', 'two', 'three'), holders, preference);
  return found && [...found].map(({ repo }) => repo);
}

test('the repo that defines a pipeline helps, or all repos that need it', () => {
  assert.deepEqual(helpers([{ pipeline: 'p', repos: ['one', 'two'] }]), ['three']);
  assert.deepEqual(helpers([{ pipeline: 'p', repos: ['one', 'two'] }], 'dependents'), ['one', 'two']);
  assert.deepEqual(helpers([{ pipeline: 'p', repos: ['one', 'rests'] }], 'dependents'), ['three']);
  assert.deepEqual(helpers([{ pipeline: 'q', repos: ['one', 'one'] }, { repos: ['one'] }]), ['one']);
});

test('no repo helps when one obstacle is left that no repo can remove', () => {
  const one = { repos: ['one'] };
  for (const hopeless of [{ pipeline: 'q', repos: [] }, { repos: [] }, { repos: ['rests'] }, { pipeline: 'q', repos: ['one', 'rests'] }])
    assert.equal(helpers([one, hopeless]), undefined, JSON.stringify(hopeless));
});

test('a guess is no condition', () => {
  assert.deepEqual(helpers([{ repos: ['rests', 'two'], isGuess: true }]), ['two']);
  assert.deepEqual(helpers([{ repos: ['one'] }, { repos: ['rests'], isGuess: true }]), ['one']);
  assert.deepEqual(helpers([]), []);
});
