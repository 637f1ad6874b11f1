import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, RepoState } from '../../store/config-repo-states.ts';
import { type Facts, isNeeded } from './need.ts';
import type { Scope } from './state.ts';

const known: RepoState = {
  repo: 'one',
  settings: 's',
  mark: 'r',
  inForce: '',
  rules: 'rules',
  revision: 'r',
  goodRevision: 'r',
  outcome: 'published',
  message: '',
  detail: '',
  modification: null,
  goodModification: null,
};
const now: Facts = { settings: 's', rulesDigest: 'rules', revision: 'r', isInForce: true };
const SCOPES: readonly Scope[] = ['news', 'refusals', 'everything'];

test('nothing is to be done without a revision', () => {
  assert.ok(SCOPES.every((scope) => !isNeeded(undefined, { ...now, revision: undefined }, scope)));
});

test('nor when nothing has changed', () => {
  assert.ok(SCOPES.every((scope) => !isNeeded(known, now, scope)));
});

test('whatever decides what is in force makes it necessary', () => {
  assert.ok(isNeeded(undefined, now, 'news'));
  for (const different of [{ settings: 't' }, { rulesDigest: 'others' }, { revision: 'q' }, { isInForce: false }])
    assert.ok(isNeeded(known, { ...now, ...different }, 'news'), JSON.stringify(different));
  assert.ok(isNeeded({ ...known, revision: null }, now, 'news'), 'a run that a crash has ended');
  assert.ok(isNeeded({ ...known, settings: null }, now, 'news'), 'files that are not to be relied on');
});

test('what went wrong is tried again where that can help', () => {
  const tried: Readonly<Record<Outcome, readonly boolean[]>> = {
    published: [false, false, false],
    refused: [false, true, true],
    unparsed: [false, false, true],
    unread: [true, true, true],
  };
  for (const [outcome, wanted] of Object.entries(tried))
    assert.deepEqual(
      SCOPES.map((scope) => isNeeded({ ...known, outcome: outcome as Outcome }, now, scope)),
      wanted,
      outcome,
    );
});
