// Tests which waiting repos are found to help with blockers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepoState } from '../../store/config-repos/states.ts';
import type { PublishBlocker } from './blockers.ts';
import { reposToAdd } from './joint-publishing.ts';

const states = new Map(['one', 'two', 'three'].map((repo) => [repo, { repo } as RepoState]));
const waiting = (...repos: string[]) => new Map(repos.map((repo) => [repo, states.get(repo)!]));

function added(blockers: PublishBlocker[], preference: 'definer' | 'dependents' = 'definer'): string[] | undefined {
  const definers = new Map([['p', states.get('three')!]]);
  const found = reposToAdd(blockers, waiting('one', 'two', 'three'), definers, preference);
  return found && [...found].map(({ repo }) => repo);
}

test('the repo that defines a pipeline helps, or all repos that need it', () => {
  assert.deepEqual(added([{ pipeline: 'p', repos: ['one', 'two'] }]), ['three']);
  assert.deepEqual(added([{ pipeline: 'p', repos: ['one', 'two'] }], 'dependents'), ['one', 'two']);
  assert.deepEqual(added([{ pipeline: 'p', repos: ['one', 'rests'] }], 'dependents'), ['three']);
  assert.deepEqual(added([{ pipeline: 'q', repos: ['one', 'one'] }, { repos: ['one'] }]), ['one']);
});

test('no repo helps when one blocker is left that no repo can remove', () => {
  const one = { repos: ['one'] };
  for (const hopeless of [{ pipeline: 'q', repos: [] }, { repos: [] }, { repos: ['rests'] }, { pipeline: 'q', repos: ['one', 'rests'] }])
    assert.equal(added([one, hopeless]), undefined, JSON.stringify(hopeless));
});

test('a guess is no condition', () => {
  assert.deepEqual(added([{ repos: ['rests', 'two'], isGuess: true }]), ['two']);
  assert.deepEqual(added([{ repos: ['one'] }, { repos: ['rests'], isGuess: true }]), ['one']);
  assert.deepEqual(added([]), []);
});
