import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, RepoState } from '../../store/config-repos/states.ts';
import type { Scope } from './state.ts';
import { type Facts, type NeededWork, neededWork } from './work-needed.ts';

const known: RepoState = {
  repo: 'one',
  settings: 's',
  cursor: 'r',
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
const now: Facts = { settings: 's', rulesDigest: 'rules', revision: 'r', isInForce: true, isPollCurrent: true };
const SCOPES: readonly Scope[] = ['changes', 'refusals', 'everything'];

test('no work is needed without a revision', () => {
  assert.ok(SCOPES.every((scope) => !neededWork(undefined, { ...now, revision: undefined }, scope)));
});

test('no work is needed when nothing has changed', () => {
  assert.ok(SCOPES.every((scope) => !neededWork(known, now, scope)));
});

test('a run is needed after a change of settings, rules or revision, and when nothing is in force', () => {
  assert.ok(neededWork(undefined, now, 'changes'));
  for (const different of [{ settings: 't' }, { rulesDigest: 'others' }, { revision: 'q' }, { isInForce: false }])
    assert.ok(neededWork(known, { ...now, ...different }, 'changes'), JSON.stringify(different));
  assert.ok(neededWork({ ...known, revision: null }, now, 'changes'), 'a run that a crash has ended');
  assert.ok(neededWork({ ...known, settings: null }, now, 'changes'), 'files that are not to be relied on');
});

test('a failed run is tried again where that can help', () => {
  const tried: Readonly<Record<Outcome, readonly boolean[]>> = {
    published: [false, false, false],
    refused: [false, true, true],
    unparsed: [false, false, true],
    unread: [true, true, true],
  };
  for (const [outcome, wanted] of Object.entries(tried))
    assert.deepEqual(
      SCOPES.map((scope) => neededWork({ ...known, outcome: outcome as Outcome }, now, scope) !== undefined),
      wanted,
      outcome,
    );
});

test('definitions in force are not checked against an old revision read with new settings, but against new rules', () => {
  const asked: readonly [Partial<Facts>, NeededWork | undefined][] = [
    [{ settings: 't' }, undefined],
    [{ settings: 't', isInForce: false }, 'all'],
    [{ settings: 't', rulesDigest: 'others' }, 'rules'],
    [{ rulesDigest: 'others' }, 'all'],
    [{ revision: 'q' }, 'all'],
    [{ revision: undefined, rulesDigest: 'others' }, 'rules'],
    [{ revision: undefined, rulesDigest: 'others', isInForce: false }, undefined],
  ];
  for (const [different, need] of asked)
    assert.equal(neededWork(known, { ...now, isPollCurrent: false, ...different }, 'everything'), need, JSON.stringify(different));
});
