import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredJobOf, type InstanceCount, instanceCountOf, instanceIndexOf, instanceName } from './instance-names.ts';

test('the name of an instance has a suffix with its number', () => {
  assert.equal(instanceName('unit', null, 1), 'unit');
  assert.equal(instanceName('unit', 3, 2), 'unit-runInstance-2');
  assert.equal(instanceName('unit', 'all', 12), 'unit-runOnAll-12');
  assert.deepEqual(['unit-runInstance-2', 'a-runInstance-3-runOnAll-14'].map(instanceIndexOf), [2, 14]);
});

test('the number of instances is read from a number, a text or `all`', () => {
  const TABLE: readonly (readonly [number | string | null, InstanceCount])[] = [
    [null, null],
    ['', null],
    [3, 3],
    ['3', 3],
    ['all', 'all'],
    ['ALL', 'all'],
  ];
  for (const [written, count] of TABLE) assert.equal(instanceCountOf(written), count);
});

test('the configured job of an instance is found by the name of the instance', () => {
  const job = (name: string, runInstanceCount: number | string | null) => ({ name, runInstanceCount });
  const jobs = [job('Unit', null), job('ui', 2), job('scan', 'all'), job('odd-runInstance-1', null)];
  const found = (name: string) => configuredJobOf(name, jobs)?.name;
  assert.equal(found('unit'), 'Unit');
  assert.equal(found('UI-runinstance-2'), 'ui');
  assert.equal(found('scan-runOnAll-7'), 'scan');
  assert.equal(found('odd-runInstance-1'), 'odd-runInstance-1');
  for (const other of ['ui', 'unit-runInstance-1', 'ui-runOnAll-1', 'scan-runInstance-1', 'scan', 'ui-runInstance-', 'gone'])
    assert.equal(found(other), undefined, other);
});
