// Limits and rules, case by case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRoomEnough, isToStart } from './disk-space.ts';
import { isPurgeable } from './purgeable.ts';
import { reasonByRule, ruleFor } from './rules.ts';

const GIGABYTE = 1024 ** 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 100 * DAY_MS;

test('deleting starts below the whole gigabytes of the first limit, and ends above those of the second', () => {
  const settings = { start: 2.9, upto: 3.9 };
  assert.equal(isToStart(settings, 2 * GIGABYTE - 1), true);
  assert.equal(isToStart(settings, 2 * GIGABYTE), false);
  assert.equal(hasRoomEnough(settings, 3 * GIGABYTE), false);
  assert.equal(hasRoomEnough(settings, 3 * GIGABYTE + 1), true);
  assert.equal(isToStart({ start: 2, upto: null }, 0), false);
  assert.equal(isToStart({ start: null, upto: 3 }, 0), false);
  assert.equal(isToStart(settings, undefined), false);
  assert.equal(hasRoomEnough(settings, undefined), true);
});

test('only artifacts of completed stages may go, and not if the stage now keeps its artifacts', () => {
  assert.equal(isPurgeable({ completedAt: null }, undefined), false);
  assert.equal(isPurgeable({ completedAt: 1 }, undefined), true);
  assert.equal(isPurgeable({ completedAt: 1 }, { neverCleanupArtifacts: false }), true);
  assert.equal(isPurgeable({ completedAt: 1 }, { neverCleanupArtifacts: true }), false);
});

test('the first rule that matches counts, in any letter case', () => {
  const rule = (pipelines: string) => ({ pipelines, keepRuns: 1, keepDays: null });
  const rules = [rule('Build-?'), rule('build-*')];
  assert.equal(ruleFor('build-a', rules), rules[0]);
  assert.equal(ruleFor('BUILD-ab', rules), rules[1]);
  assert.equal(ruleFor('rebuild-a', rules), undefined);
});

test('a run that either number keeps stays', () => {
  const reasonWith = (keepRuns: number | null, keepDays: number | null, counter: number, age: number, keptFrom: number | undefined = 5) =>
    reasonByRule({ pipelineCounter: counter, completedAt: NOW - age * DAY_MS }, { pipelines: 'a', keepRuns, keepDays }, keptFrom, NOW);
  assert.equal(reasonWith(3, null, 4, 0), "By the rule for 'a': not of the last 3 runs.");
  assert.equal(reasonWith(3, null, 5, 99), undefined);
  assert.equal(reasonWith(null, 7, 4, 7), "By the rule for 'a': older than 7 days.");
  assert.equal(reasonWith(null, 7, 4, 6.99), undefined);
  assert.equal(reasonWith(3, 7, 4, 6), undefined);
  assert.equal(reasonWith(3, 7, 5, 8), undefined);
  assert.equal(reasonWith(3, 7, 4, 8), "By the rule for 'a': not of the last 3 runs, and older than 7 days.");
  assert.equal(reasonWith(null, null, 1, 99), undefined);
  const tooFew: number | undefined = undefined;
  assert.equal(
    reasonByRule({ pipelineCounter: 1, completedAt: 0 }, { pipelines: 'a', keepRuns: 3, keepDays: null }, tooFew, NOW),
    undefined,
  );
});
