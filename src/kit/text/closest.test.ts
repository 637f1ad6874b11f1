import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closest } from './closest.ts';

describe('the word that was meant', () => {
  const known = ['tasks', 'tabs', 'timeout', 'resources', 'environment_variables', 'jobs'];
  for (const [word, expected] of [
    ['taks', 'tasks'],
    ['task', 'tasks'],
    ['Tasks', 'tasks'],
    ['tiemout', 'timeout'],
    ['resource', 'resources'],
    ['enviroment_variables', 'environment_variables'],
    ['job', 'jobs'],
    ['artifacts', undefined],
    ['x', undefined],
    ['', undefined],
    ['tasks', undefined],
    ['t'.repeat(10_000), undefined],
  ] as const) {
    test(`the word meant by «${word.slice(0, 30)}»`, () =>
      assert.equal(
        closest(
          word,
          known.filter((one) => one !== word),
        ),
        expected,
      ));
  }
});
